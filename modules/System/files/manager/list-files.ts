import type { UploadType } from '#shared/config/upload.ts';
import { decodeCursor, encodeCursor } from '#shared/db/cursor.ts';
import { indexes } from '#shared/db/keys.ts';
import {
  type CreationIndex,
  cutPage,
  type NewestPage,
  type Position,
  readNewest,
} from '#shared/db/spread-index.ts';
import { type FileRecord, toFileRecord, toStoredFile } from '../records/file-record.ts';
import { toSearchable } from '../records/searchable.ts';

export interface FileQuery {
  /** 1 to 100. */
  limit: number;
  cursor?: string;
  type?: UploadType;
  /** Files of one category; then `type` counts for nothing. */
  cid?: string | null;
  /** Part of the name, whatever the case. */
  keyword?: string;
}

/** How many files one request holds against a keyword. */
export interface SearchBounds {
  /** In one query. */
  atOnce: number;
  /** In all, in whole queries; what was found until then is the page. */
  inAll: number;
}

const searchBounds: SearchBounds = { atOnce: 250, inAll: 1000 };

/**
 * A page of files, newest first. With a keyword a page may be short, or empty, before the list's end.
 *
 * @throws AppError `request.invalid` for a cursor that was not made for this list and these filters
 */
export async function listFiles(
  query: FileQuery,
  bounds = searchBounds,
): Promise<{ list: FileRecord[]; next_cursor: string | null }> {
  const { limit, cursor, type = null, cid = null } = query;
  const keyword = query.keyword === undefined ? null : toSearchable(query.keyword);
  const scope = `files ${JSON.stringify([type, cid, keyword])}`;
  const start = decodeCursor(cursor, scope);
  const index = chooseIndex(type, cid);
  const { items, last } =
    keyword === null
      ? await readNewest({ index, limit, start })
      : await search({ index, keyword, limit, start, ...bounds });
  return {
    list: items.map((item) => toFileRecord(toStoredFile(item))),
    next_cursor: encodeCursor(last, scope),
  };
}

function chooseIndex(type: UploadType | null, cid: string | null): CreationIndex {
  const { filesByCategory, filesByType, filesByCreation } = indexes;
  if (cid !== null) return { name: filesByCategory.name, pk: filesByCategory.pk(cid) };
  if (type !== null) return { name: filesByType.name, pk: filesByType.pk(type) };
  return filesByCreation;
}

interface Search extends SearchBounds {
  index: CreationIndex;
  keyword: string;
  limit: number;
  start: Position | undefined;
}

async function search({ index, keyword, limit, start, atOnce, inAll }: Search): Promise<NewestPage> {
  const filter = { expression: 'contains(name_lower, :keyword)', values: { ':keyword': keyword } };
  const found: NewestPage = { items: [], last: start, isSpread: false };
  for (let evaluated = 0; evaluated < inAll; evaluated += atOnce) {
    const page = await readNewest({ index, limit: atOnce, start: found.last, filter });
    found.items.push(...page.items);
    Object.assign(found, { last: page.last, isSpread: page.isSpread });
    if (found.items.length > limit) return cutPage(index, found, limit);
    if (found.last === undefined || found.items.length === limit) break;
  }
  return found;
}
