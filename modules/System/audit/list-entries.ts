import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import { type AuditActor, actorKinds } from '#shared/audit/entry.ts';
import { auditPartition } from '#shared/audit/new-entry.ts';
import { auditEntries, verifyAuditItem } from '#shared/audit/stored-entries.ts';
import { partitionOf } from '#shared/db/entity.ts';
import {
  getItem,
  type Item,
  type Key,
  keyBelow,
  type Position,
  type Query,
  queryPage,
} from '#shared/db/items.ts';
import { firstIdOf } from '#shared/db/paging/creation-range.ts';
import { type CursorPage, readByCursor } from '#shared/db/paging/cursor.ts';
import { type IndexName, ttlAttribute } from '#shared/db/table.ts';
import { log } from '#shared/log/log.ts';
import { monthOf, startOfMonth } from './digest.ts';
import { loginActions } from './login-actions.ts';
import type { AuditQuery, ReadEntry } from './schema.ts';

/** Most items that one page reads. */
const mostRead = 1000;
/** Items of one read if a filter may leave some out. */
const filteredBatch = 250;
/** Months that are read back without `from`. */
const usualMonths = 13;
/** No entry lives longer than ten years. */
const mostMonths = 123;
/** Most months that one wave of reads asks, after the newest. */
const monthsAtOnce = 12;
/** Clocks of functions may differ. */
const skewMs = 60_000;

/** An entry. @throws AppError `audit.not_found` */
export async function getEntry(id: string): Promise<ReadEntry> {
  const item = await getItem(auditEntries.key({ id }));
  const entry = item && readEntry(item);
  if (!entry) throw auditEntries.missing();
  return withProof(entry, item);
}

interface Filters extends Omit<AuditQuery, 'limit' | 'cursor'> {
  isWanted?(entry: ReadableEntry): boolean;
}

/** A page of entries, newest first. It is short if {@link mostRead} items hold too few of them. */
export function listEntries({
  limit,
  cursor,
  ...filters
}: Filters & Pick<AuditQuery, 'limit' | 'cursor'>): Promise<CursorPage<ReadEntry>> {
  return readByCursor(cursor, `audit ${JSON.stringify(filters)}`, (start) =>
    readPage(filters, limit, start && { pk: String(start.pk), sk: String(start.sk) }),
  );
}

/** The logins of an administrator, newest first, refused ones included. A first step alone is left out. */
export const listOwnLogins = (adminId: string, query: Pick<AuditQuery, 'limit' | 'cursor'>) =>
  listEntries({
    ...query,
    actor: `admin:${adminId}`,
    action: 'system/login/',
    isWanted: ({ action, code }) => loginActions.includes(action) && code !== 'auth.factor_required',
  });

async function readPage(filters: Filters, limit: number, after: Key | undefined) {
  const rows: ReadEntry[] = [];
  let [left, last] = [mostRead, after];
  /** Takes items in their order. @returns whether the page ends with one of them */
  const take = (items: readonly Item[]): boolean =>
    items.some((item) => {
      const entry = readEntry(item);
      if (entry && matches(entry, filters)) rows.push(withProof(entry, item));
      [left, last] = [left - 1, { pk: String(item.pk), sk: String(item.sk) }];
      return rows.length === limit || left === 0;
    });
  const end = () => ({ rows, last: last && { ...last } });
  const most = () => (hasFilter(filters) ? filteredBatch : limit - rows.length);

  const [newest, ...older] = listPartitions(filters, after);
  if (!newest) return { rows, last: undefined };
  let start: Position | undefined;
  do {
    const page = await readBatch(newest, Math.min(left, most()), start);
    if (take(page.items)) return end();
    start = page.last;
  } while (start);
  for (let at = 0; at < older.length; at += monthsAtOnce) {
    const months = older.slice(at, at + monthsAtOnce);
    const each = Math.min(Math.floor(left / months.length), most());
    if (each === 0) return end();
    const pages = await settleAll(months.map((month) => readBatch(month, each)));
    // The rest of a month comes before the months that are older.
    if (pages.some(({ items, last }) => take(items) || last)) return end();
  }
  return { rows, last: undefined };
}

const readBatch = (partition: Query, limit: number, start?: Position) =>
  queryPage({ ...partition, ScanIndexForward: false, Limit: limit, ExclusiveStartKey: start });

/** Queries of the partitions that hold the entries, newest first: of the target, of the actor, or of each month. */
function* listPartitions(filters: Filters, after: Key | undefined): Generator<Query> {
  const { target, actor, from, to } = filters;
  const endMs = Math.min(Date.now() + skewMs, to === undefined ? Number.POSITIVE_INFINITY : toMs(to));
  const last = after ? keyBelow(after.sk) : firstIdOf(endMs);
  const startMs = Math.max(
    startOfMonth(monthOf(endMs), 1 - (from === undefined ? usualMonths : mostMonths)),
    from === undefined ? 0 : toMs(from),
  );
  const first = firstIdOf(startMs);
  // The database refuses an empty range.
  if (first > last) return;
  const createQuery = (pk: string, index?: IndexName): Query => ({
    KeyConditionExpression: `${index ?? ''}pk = :pk AND ${index ?? ''}sk BETWEEN :first AND :last`,
    ExpressionAttributeValues: { ':pk': pk, ':first': first, ':last': last },
    ...(index && { IndexName: index }),
  });
  const { byTarget, byActor } = auditEntries.indexes;
  if (target !== undefined) return yield createQuery(partitionOf(byTarget, { target }).pk, byTarget.name);
  if (actor !== undefined)
    return yield createQuery(partitionOf(byActor, { actor: toActor(actor) }).pk, byActor.name);
  const newest = after ? after.pk.slice(auditPartition('').length) : monthOf(endMs);
  for (let month = newest; month >= monthOf(startMs); month = monthOf(startOfMonth(month, -1))) {
    yield createQuery(auditPartition(month));
  }
}

const toMs = (time: string): number => Math.max(0, Date.parse(time));

function toActor(text: string): AuditActor {
  const [kind, ...id] = text.split(':');
  return { kind: z.parse(z.enum(actorKinds), kind), id: id.join(':'), account: null };
}

/** Whether a filter may leave out items of the partition. */
const hasFilter = ({ target, actor, action, outcome }: Filters): boolean =>
  action !== undefined || outcome !== undefined || (target !== undefined && actor !== undefined);

function matches(entry: ReadableEntry, { actor, action, outcome, isWanted }: Filters): boolean {
  const { kind, id } = entry.actor;
  return (
    (actor === undefined || actor === `${kind}:${id}`) &&
    (action === undefined || entry.action.startsWith(action)) &&
    (outcome === undefined || entry.outcome === outcome) &&
    (isWanted?.(entry) ?? true)
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
