import { brotliDecompressSync } from 'node:zlib';
import * as z from 'zod/mini';
import type { Entity } from '../entity.ts';
import { getItem, type Item, type Key, type Position, queryPage } from '../items.ts';
import { type CursorPage, readByCursor } from '../paging/cursor.ts';
import { factsOf } from '../record-facts.ts';
import { ttlAttribute } from '../table.ts';
import type { ListWrittenKeys } from '../written-keys.ts';
import { type Author, revisionPartition, revisionsOf } from './options.ts';

/** A row that was edited or deleted. */
export interface Revision {
  /** Unique in the history of its record. */
  id: string;
  /** When it was replaced. */
  at: string;
  /** Null if no request and no command was the cause. */
  by: Author['by'] | null;
  action: string | null;
  request_id: string | null;
  old: Item;
  /** The values that the change has set; null for a deletion. */
  new: Item | null;
}

/** Most bytes of the rows of a page, as JSON. One row may be larger. */
const mostBytes = 1024 * 1024;

/**
 * The revisions of a record, newest first, strongly consistent. Also of one that was deleted.
 *
 * @throws AppError the entity's `missing` for a record that does not exist and has none; `request.invalid` for a
 *   cursor of another history
 */
export async function listRevisions<Id>(
  entity: Pick<Entity<object, Id>, 'key' | 'missing'>,
  id: Id,
  query: { limit: number; cursor?: string | undefined },
): Promise<CursorPage<Revision>> {
  const key = entity.key(id);
  const page = await queryRevisions(key, query);
  const mayBeUnknown = page.list.length === 0 && query.cursor === undefined;
  if (mayBeUnknown && !(await getItem(key))) throw entity.missing();
  return page;
}

/** The revisions of the record of a key, as {@link listRevisions}; empty if it has none. */
export function queryRevisions(
  key: Key,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<CursorPage<Revision>> {
  const record = factsOf(key)?.revisions?.record(key) ?? key;
  const pk = revisionPartition(record.pk);
  const beginning = revisionsOf(record);
  return readByCursor(cursor, `revisions ${JSON.stringify([pk, beginning])}`, async (start) => {
    const page = await queryPage({
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :beginning)',
      // DynamoDB deletes some time after the expiry.
      FilterExpression: '#expiry > :now',
      ExpressionAttributeNames: { '#expiry': ttlAttribute },
      ExpressionAttributeValues: {
        ':pk': pk,
        ':beginning': beginning,
        ':now': Math.floor(Date.now() / 1000),
      },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: limit,
      ExclusiveStartKey: start && { pk, sk: start.sk },
    });
    return takePage(page, beginning.length);
  });
}

/** The first rows of a page that are small enough together. */
function takePage(
  { items, last }: { items: Item[]; last: Position | undefined },
  from: number,
): { rows: Revision[]; last: Position | undefined } {
  const rows: Revision[] = [];
  let bytes = 0;
  for (const [at, item] of items.entries()) {
    const packed = brotliDecompressSync(Object(item.row));
    bytes += packed.length;
    if (at > 0 && bytes > mostBytes) return { rows, last: { sk: items[at - 1]?.sk } };
    rows.push(toRevision(item, from, JSON.parse(packed.toString())));
  }
  return { rows, last: last && { sk: last.sk } };
}

function toRevision(item: Item, from: number, row: Pick<Revision, 'old' | 'new'>): Revision {
  const { sk, at, by, action, request_id } = z.parse(stored, item);
  return { id: sk.slice(from), at, by, action, request_id, ...row };
}

const stored = z.object({
  sk: z.string(),
  at: z.string(),
  by: z.nullable(z.object({ kind: z.string(), id: z.nullable(z.string()), account: z.nullable(z.string()) })),
  action: z.nullable(z.string()),
  request_id: z.nullable(z.string()),
});

export const writtenKeys: ListWrittenKeys = () => [];
