import { decodeTime } from 'ulid';
import * as z from 'zod/mini';
import {
  type AuditActor,
  actorKinds,
  auditEntries,
  auditPartition,
  type StoredEntry,
  verifyAuditItem,
} from '#shared/audit/entry.ts';
import { type CursorPage, readByCursor } from '#shared/db/cursor.ts';
import { partitionOf } from '#shared/db/entity.ts';
import { getItem, type Item, type Position, type Query, queryPage } from '#shared/db/items.ts';
import { type IndexName, ttlAttribute } from '#shared/db/table.ts';
import { log } from '#shared/log/log.ts';
import systemErrors from '../errors.ts';
import { firstIdOf, monthOf, startOfMonth } from './digest.ts';
import type { AuditQuery } from './schema.ts';

/** An entry, and whether this service wrote it as it is. */
export type ReadEntry = Omit<StoredEntry, typeof ttlAttribute> & { genuine: boolean };

/** Most items that one page reads. */
export const mostRead = 1000;
/** Items of one read if a filter may leave some out. */
const filteredBatch = 250;
/** Months that are read back without `from`. */
const readMonths = 13;
/** Clocks of functions may differ. */
const skewMs = 60_000;

/** An entry. @throws AppError `audit.not_found` */
export async function getEntry(id: string): Promise<ReadEntry> {
  const item = await getItem(auditEntries.key({ id }));
  const entry = item && readEntry(item);
  if (!entry) throw systemErrors.create('audit.not_found');
  return withProof(entry, item);
}

type Filters = Omit<AuditQuery, 'limit' | 'cursor'>;

/** A page of entries, newest first. It is short if {@link mostRead} items hold too few of them. */
export function listEntries({ limit, cursor, ...filters }: AuditQuery): Promise<CursorPage<ReadEntry>> {
  return readByCursor(cursor, `audit ${JSON.stringify(filters)}`, (start) =>
    readPage(filters, limit, start && String(start.id)),
  );
}

/** The logins of an administrator, newest first, refused ones included. */
export const listOwnLogins = (adminId: string, query: Pick<AuditQuery, 'limit' | 'cursor'>) =>
  listEntries({ ...query, actor: `admin:${adminId}`, action: 'system/login/account' });

async function readPage(filters: Filters, limit: number, after: string | undefined) {
  const rows: ReadEntry[] = [];
  let left = mostRead;
  for (const condition of listPartitions(filters, after)) {
    let start: Position | undefined;
    do {
      const most = hasFilter(filters) ? filteredBatch : limit - rows.length;
      const page = await queryPage({
        ...condition,
        ScanIndexForward: false,
        Limit: Math.min(left, most),
        ExclusiveStartKey: start,
      });
      for (const item of page.items) {
        left -= 1;
        const entry = readEntry(item);
        if (entry && matches(entry, filters)) rows.push(withProof(entry, item));
        if (rows.length === limit || left === 0) return { rows, last: { id: item.sk } };
      }
      start = page.last;
    } while (start);
  }
  return { rows, last: undefined };
}

/** Queries of the partitions that hold the entries, newest first: of the target, of the actor, or of each month. */
function* listPartitions(filters: Filters, after: string | undefined): Generator<Query> {
  const { target, actor, from, to } = filters;
  const endMs = to === undefined ? Date.now() + skewMs : toMs(to);
  const last = after === undefined ? firstIdOf(endMs) : idBelow(after);
  const startMs = from === undefined ? startOfMonth(monthOf(endMs), 1 - readMonths) : toMs(from);
  const first = firstIdOf(startMs);
  // The database refuses an empty range.
  if (first > last) return;
  const place = (pk: string, index?: IndexName): Query => ({
    KeyConditionExpression: `${index ?? ''}pk = :pk AND ${index ?? ''}sk BETWEEN :first AND :last`,
    ExpressionAttributeValues: { ':pk': pk, ':first': first, ':last': last },
    ...(index && { IndexName: index }),
  });
  const { byTarget, byActor } = auditEntries.indexes;
  if (target !== undefined) return yield place(partitionOf(byTarget, { target }).pk, byTarget.name);
  if (actor !== undefined)
    return yield place(partitionOf(byActor, { actor: toActor(actor) }).pk, byActor.name);
  const newest = after === undefined ? monthOf(endMs) : monthOf(decodeTime(after));
  for (let month = newest; month >= monthOf(startMs); month = monthOf(startOfMonth(month, -1))) {
    yield place(auditPartition(month));
  }
}

const toMs = (time: string): number => Math.max(0, Date.parse(time));
/** Sorts after all smaller IDs, and before this one. */
const idBelow = (id: string): string => `${id.slice(0, -1)}${String.fromCharCode(id.charCodeAt(25) - 1)}~`;

function toActor(text: string): AuditActor {
  const [kind, ...id] = text.split(':');
  return { kind: z.parse(z.enum(actorKinds), kind), id: id.join(':'), account: null };
}

/** Whether a filter may leave out items of the partition. */
const hasFilter = ({ target, actor, action, outcome }: Filters): boolean =>
  action !== undefined || outcome !== undefined || (target !== undefined && actor !== undefined);

function matches(entry: ReadableEntry, { actor, action, outcome }: Filters): boolean {
  const { kind, id } = entry.actor;
  return (
    (actor === undefined || actor === `${kind}:${id}`) &&
    (action === undefined || entry.action.startsWith(action)) &&
    (outcome === undefined || entry.outcome === outcome)
  );
}

type ReadableEntry = z.infer<typeof auditEntries.row>;

/** The entry of an item, also of a changed one; undefined if nothing can be read. */
function readEntry(item: Item): ReadableEntry | undefined {
  const { success, data } = z.safeParse(auditEntries.row, item);
  if (!success) log.error('audit.entry_invalid', { id: item.sk });
  return data;
}

/** Adds whether the entry is genuine. The expiry is not answered. */
function withProof({ [ttlAttribute]: _expires, ...entry }: ReadableEntry, item: Item): ReadEntry {
  return { ...entry, genuine: verifyAuditItem(item) !== undefined };
}
