import type { UploadType } from '#shared/config/upload.ts';
import { decodeCursor, encodeCursor } from '#shared/db/cursor.ts';
import { type Item, type Query, queryPage } from '#shared/db/items.ts';
import { indexes } from '#shared/db/keys.ts';
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

type Position = Record<string, unknown>;
/** Some files, and the position from which the list goes on; undefined at its end. */
type FilePage = Awaited<ReturnType<typeof queryPage>>;

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
      ? await queryPage({ ...walk(index), Limit: limit, ExclusiveStartKey: start })
      : await search({ index, keyword, limit, start, ...bounds });
  return {
    list: items.map((item) => toFileRecord(toStoredFile(item))),
    next_cursor: encodeCursor(last, scope),
  };
}

interface Index {
  name: string;
  pk: string;
}

function chooseIndex(type: UploadType | null, cid: string | null): Index {
  const { filesByCategory, filesByType, filesByCreation } = indexes;
  if (cid !== null) return { name: filesByCategory.name, pk: filesByCategory.pk(cid) };
  if (type !== null) return { name: filesByType.name, pk: filesByType.pk(type) };
  return filesByCreation;
}

function walk({ name, pk }: Index): Query {
  return {
    IndexName: name,
    KeyConditionExpression: `${name}pk = :pk`,
    ExpressionAttributeValues: { ':pk': pk },
    ScanIndexForward: false,
  };
}

interface Search extends SearchBounds {
  index: Index;
  keyword: string;
  limit: number;
  start: Position | undefined;
}

async function search({ index, keyword, limit, start, atOnce, inAll }: Search): Promise<FilePage> {
  const { ExpressionAttributeValues, ...query } = walk(index);
  const found: Item[] = [];
  let last = start;
  for (let evaluated = 0; evaluated < inAll; evaluated += atOnce) {
    const page = await queryPage({
      ...query,
      FilterExpression: 'contains(name_lower, :keyword)',
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ':keyword': keyword },
      Limit: atOnce,
      ExclusiveStartKey: last,
    });
    found.push(...page.items);
    if (found.length > limit) return cut(found, limit, index);
    last = page.last;
    if (last === undefined || found.length === limit) break;
  }
  return { items: found, last };
}

/** The first files, and the position behind them. */
function cut(found: Item[], limit: number, { name }: Index): FilePage {
  const items = found.slice(0, limit);
  const last = items.at(-1) ?? {};
  const position = ['pk', 'sk', `${name}pk`, `${name}sk`].map((key) => [key, last[key]]);
  return { items, last: Object.fromEntries(position) };
}
