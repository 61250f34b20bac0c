import type { UploadType } from '#shared/config/upload.ts';
import { getRow, partitionOf, toRow } from '#shared/db/entity.ts';
import type { IndexPartition } from '#shared/db/items.ts';
import { type CursorPage, readByCursor } from '#shared/db/paging/cursor.ts';
import { type NewestPage, type NewestQuery, readNewest } from '#shared/db/paging/newest-page.ts';
import { type FileRecord, files, toFileRecord, toSearchable } from '../records/file-record.ts';

export interface FileQuery {
  /** 1 to 100. */
  limit: number;
  cursor?: string;
  type?: UploadType;
  /** Files of one category; then `type` is ignored. */
  cid?: string | null;
  /** Part of the name, in upper or lower case. */
  keyword?: string;
}

/** @throws AppError `file.not_found` */
export const getFile = async (id: string): Promise<FileRecord> => toFileRecord(await getRow(files, { id }));

/** How many files one request compares with a keyword: in one query, and in all. Then the page ends. */
const searchBounds = { atOnce: 250, inAll: 1000 };
export type SearchBounds = typeof searchBounds;

/**
 * A page of files, newest first. With a keyword, a page may be short or empty before the end of the list.
 * @throws AppError `request.invalid` for a cursor that was not made for this list and these filters
 */
export function listFiles(query: FileQuery, bounds = searchBounds): Promise<CursorPage<FileRecord>> {
  const { limit, cursor, type = null, cid = null } = query;
  const keyword = query.keyword === undefined ? null : toSearchable(query.keyword);
  const scope = `files ${JSON.stringify([type, cid, keyword])}`;
  const index = chooseIndex(type, cid);
  return readByCursor(cursor, scope, async (start) => {
    const newest = { index, limit, start };
    const { items, last } = await (keyword === null ? readNewest(newest) : search(newest, keyword, bounds));
    return { rows: items.map((item) => toFileRecord(toRow(files, item))), last };
  });
}

function chooseIndex(type: UploadType | null, cid: string | null): IndexPartition {
  const { byCategory, byType, byCreation } = files.indexes;
  if (cid !== null) return partitionOf(byCategory, { cid });
  return type === null ? partitionOf(byCreation, {}) : partitionOf(byType, { type });
}

async function search(
  { index, limit, start }: NewestQuery,
  keyword: string,
  { atOnce, inAll }: SearchBounds,
): Promise<NewestPage> {
  const filter = { expression: 'contains(name_lower, :keyword)', values: { ':keyword': keyword } };
  const found: NewestPage = { items: [], last: start };
  for (let sum = 0; sum < inAll; sum += atOnce) {
    const rest = limit - found.items.length;
    const query = { index, limit: rest, evaluated: atOnce, start: found.last, filter };
    const { items, last } = await readNewest(query);
    found.items.push(...items);
    found.last = last;
    if (last === undefined || items.length === rest) break;
  }
  return found;
}
