import { decodeTime, ulid } from 'ulid';
import { createRecordMac } from '#shared/crypto/record-mac.ts';
import { type Entity, toItem } from '#shared/db/entity.ts';
import type { Item } from '#shared/db/items.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import type { AuditActor, AuditEvent, StoredEntry } from './entry.ts';

// No zod here: esbuild would load what this file needs of it at the start of every function that is recorded.

/** Purpose of the keys that authenticate the log. */
export const auditKeyPurpose = 'audit';

/** The partition of a month. @param month `2026-11`, UTC */
export const auditPartition = (month: string): string => `AUDIT#${month}`;

const sk = ({ id }: Pick<StoredEntry, 'id'>) => id;

/** How entries are stored. A month is one partition, in the order of time. */
export const storedEntry = {
  /** @throws Error if the ID is not a ULID */
  key: ({ id }: { id: string }) => ({
    pk: auditPartition(new Date(decodeTime(id)).toISOString().slice(0, 7)),
    sk: id,
  }),
  indexes: {
    byActor: {
      name: 'gsi1',
      pk: (entry: Pick<StoredEntry, 'actor'>) => actorPartition(entry.actor),
      sk,
    },
    byTarget: {
      name: 'gsi2',
      pk: ({ target }: Pick<StoredEntry, 'target'>) =>
        target === null ? undefined : `AUDIT_TARGET#${target}`,
      sk,
    },
  },
  toAttributes: (entry: StoredEntry) => ({ ...entry, fields: JSON.stringify(entry.fields) }),
} as const satisfies Omit<Entity<StoredEntry, { id: string }>, 'row' | 'missing'>;

const actorPartition = ({ kind, id }: AuditActor): string | undefined =>
  id === null ? undefined : `AUDIT_ACTOR#${kind}:${id}`;

/**
 * Makes an entry of an event.
 *
 * @param retentionDays whole days until it expires
 * @param atMs Unix milliseconds of the event. @default now
 */
export function createEntry(
  event: AuditEvent,
  retentionDays: number,
  atMs: number = Date.now(),
): StoredEntry {
  const content = {
    ...event,
    id: ulid(atMs),
    at: new Date(atMs).toISOString(),
    [ttlAttribute]: Math.floor(atMs / 1000) + retentionDays * 86_400,
  };
  return { ...content, mac: createRecordMac(auditKeyPurpose, content) };
}

/** The item of an entry. */
export const toAuditItem = (entry: StoredEntry): Item => toItem(storedEntry, entry);

export const writtenKeys: ListWrittenKeys = () => [{ keys: auditPartition('*'), actions: ['PutItem'] }];
