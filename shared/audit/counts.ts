import { createHash } from 'node:crypto';
import { settleAll } from '#shared/async/settle-all.ts';
import { holds, type Item, queryPartition, transact, updateItem } from '#shared/db/items.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { changeItem, putItem, putNew, removeItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import type { AuditEvent } from './entry.ts';
import { createEntry, toAuditItem } from './new-entry.ts';

/** Partitions of an hour. */
const shards = 8;
const lifetimeSeconds = 30 * 86_400;

const hourOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 13);

/** A partition that counts the repeated events of an hour. @param shard `*` for a pattern that covers all of them */
export const countPartition = (hour: string, shard: number | '*'): string => `AUDIT_COUNT#${hour}#${shard}`;

/**
 * The partitions that count the repeated events of an hour. They are not part of the log.
 *
 * @param hour `2026-11-23T05`, UTC
 */
export const listCountPartitions = (hour: string): string[] =>
  Array.from({ length: shards }, (_, shard) => countPartition(hour, shard));

/**
 * Records an event that others can cause as often as they like. The first of an hour is an entry; the others are
 * counted.
 *
 * @param subject what the events of an hour are counted by: `login#203.0.113.7#unknown#auth.credentials_invalid`
 */
export async function recordOrCount(
  event: AuditEvent,
  subject: string,
  retentionDays: number,
  atMs = Date.now(),
): Promise<void> {
  const shard = createHash('sha256').update(subject).digest().readUInt8() % shards;
  const key = { pk: countPartition(hourOf(atMs), shard), sk: subject };
  const last_at = new Date(atMs).toISOString();
  // Not idempotent: a lost answer may count an event twice. A transaction would conflict with others during a flood.
  const count = () =>
    holds(updateItem(changeItem(key, { add: { count: 1 }, set: { last_at }, expect: {} }).Update));
  if (await count()) return;
  const first = {
    ...{ ...key, count: 0, last_at, event: JSON.stringify(toCounted(event)), retention_days: retentionDays },
    [ttlAttribute]: Math.floor(atMs / 1000) + lifetimeSeconds,
  };
  const entry = toAuditItem(createEntry(event, retentionDays, atMs));
  // Another process may have been faster.
  if (!(await holds(transact([putNew(first), putItem(entry)])))) await count();
}

/** The counted events may be about other records than the first. */
const toCounted = (event: AuditEvent): AuditEvent => ({ ...event, target: null });

/**
 * Writes an entry for the counted events of each subject of an hour, which must be over. May be repeated, and may run
 * twice at once.
 *
 * @param hour `2026-11-23T05`, UTC
 * @returns the number of entries
 */
export async function recordCounts(hour: string): Promise<number> {
  const items = (await settleAll(listCountPartitions(hour).map((pk) => queryPartition(pk)))).flat();
  let recorded = 0;
  for (const item of items) if (await recordCount(item)) recorded += 1;
  return recorded;
}

/** @returns whether an entry was written */
async function recordCount(item: Item): Promise<boolean> {
  const [count, last_at] = [Number(item.count), String(item.last_at)];
  const key = { pk: String(item.pk), sk: String(item.sk) };
  // Nothing was repeated: the item expires.
  if (count === 0) return false;
  const event: AuditEvent = { ...JSON.parse(String(item.event)), count, last_at };
  const entry = toAuditItem(createEntry(event, Number(item.retention_days)));
  return holds(transact([removeItem(key, { expect: { count } }), putItem(entry)]));
}

export const writtenKeys: ListWrittenKeys = () => [countPartition('*', '*')];
