import { createHash, randomBytes } from 'node:crypto';
import { createRecordMac } from '#shared/crypto/record-mac.ts';
import { holds, type Item, type Key, transact, updateItem } from '#shared/db/items.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { changeItem, putItem, putNew } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import type { AuditEvent } from './entry.ts';
import { createEntry, toAuditItem } from './new-entry.ts';

// Every process counts in an item of its own, so it knows the count and can authenticate the whole item. Counts only
// grow, and no item is deleted before it expires, so that a digest can hold a later state against them
// (docs/decisions/0031-audit-anchor.md).

/** Purpose of the keys that authenticate counts. */
export const countKeyPurpose = 'audit-count';
/** Partitions of a day. */
const shards = 8;
const lifetimeSeconds = 30 * 86_400;

/** A partition that counts the repeated events of a day. @param shard `*` for a pattern that covers all of them */
export const countPartition = (day: string, shard: number | '*'): string => `AUDIT_COUNT#${day}#${shard}`;

/**
 * The partitions that count the repeated events of a day. They are not part of the log.
 *
 * @param day `2026-11-23`, UTC
 */
export const listCountPartitions = (day: string): string[] =>
  Array.from({ length: shards }, (_, shard) => countPartition(day, shard));

/** An event that may be counted: only what was refused or has failed. */
export type CountedEvent = AuditEvent & { outcome: Exclude<AuditEvent['outcome'], 'ok'> };

/** The counts of this process. */
const own = new Map<string, { nonce: string; count: number }>();
/** Most counts that a process remembers. One that is forgotten goes on in another item. */
const mostOwn = 500;

/**
 * Records an event that others can cause as often as they like. The first of an hour is an entry; the others are
 * counted.
 *
 * @param subject what the events of an hour are counted by: `login#203.0.113.7#unknown#auth.credentials_invalid`
 */
export async function recordOrCount(
  event: CountedEvent,
  subject: string,
  retentionDays: number,
  atMs = Date.now(),
): Promise<void> {
  const item = (nonce: string | undefined, count: number) =>
    createCountItem({ event: toCounted(event), subject, retentionDays, atMs, nonce, count });
  const first = item(undefined, 0);
  const name = `${first.pk} ${first.sk}`;
  if (!own.has(name)) {
    const entry = toAuditItem(createEntry(event, retentionDays, atMs));
    const isFirst = await holds(transact([putNew(first), putItem(entry)]));
    remember(name);
    if (isFirst) return;
  }
  const state = remember(name);
  state.count += 1;
  const { pk, sk, ...set } = item(state.nonce, state.count);
  // A later count of this process may have been stored already.
  const change = changeItem({ pk, sk }, { set, atMost: { count: state.count - 1 } });
  await holds(updateItem(change.Update));
}

function remember(name: string) {
  const state = own.get(name) ?? { nonce: randomBytes(9).toString('base64url'), count: 0 };
  const [oldest] = own.size >= mostOwn ? own.keys() : [];
  if (oldest !== undefined && !own.has(name)) own.delete(oldest);
  own.set(name, state);
  return state;
}

/** The counted events may be about other records than the first. */
const toCounted = (event: CountedEvent): CountedEvent => ({ ...event, target: null });

interface CountContent {
  event: CountedEvent;
  subject: string;
  retentionDays: number;
  atMs: number;
  /** Identifies the process; undefined for the item of the first event. */
  nonce: string | undefined;
  count: number;
}

function createCountItem({ event, subject, retentionDays, atMs, nonce, count }: CountContent): Item & Key {
  const shard = createHash('sha256').update(subject).digest().readUInt8() % shards;
  const at = new Date(atMs).toISOString();
  const content = {
    pk: countPartition(at.slice(0, 10), shard),
    sk: [at.slice(11, 13), subject, nonce ?? []].flat().join('#'),
    subject,
    count,
    last_at: at,
    event: JSON.stringify(event),
    retention_days: retentionDays,
    [ttlAttribute]: Math.floor(atMs / 3_600_000) * 3600 + lifetimeSeconds,
  };
  return { ...content, mac: createRecordMac(countKeyPurpose, content) };
}

export const writtenKeys: ListWrittenKeys = () => [countPartition('*', '*')];
