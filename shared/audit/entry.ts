import { isDeepStrictEqual } from 'node:util';
import { decodeTime, ulid } from 'ulid';
import * as z from 'zod/mini';
import { createRecordMac, isRecordMac } from '#shared/crypto/record-mac.ts';
import { defineEntity, toItem } from '#shared/db/entity.ts';
import type { Item } from '#shared/db/items.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { components } from '#shared/schema/component.ts';

/** Purpose of the keys that authenticate the log. */
export const auditKeyPurpose = 'audit';

export const actorKinds = ['admin', 'token', 'oauth', 'cli', 'system'] as const;
export const auditChannels = ['api', 'mcp', 'chat', 'cli'] as const;
export const auditOutcomes = ['ok', 'refused', 'failed'] as const;
export type AuditChannel = (typeof auditChannels)[number];
export type AuditOutcome = (typeof auditOutcomes)[number];

const actor = z.strictObject({
  kind: z.enum(actorKinds),
  /** Of the administrator; null if the caller is not known, as after a login with an unknown account. */
  id: z.nullable(z.string()),
  account: z.nullable(z.string()),
  /** ID of the API token or OAuth client. */
  client: z.optional(z.string()),
});
export type AuditActor = z.infer<typeof actor>;

/** One entry of the audit log. */
export const auditEntry = z
  .strictObject({
    /** ULID of the time `at`. */
    id: z.string(),
    at: z.iso.datetime(),
    actor,
    channel: z.enum(auditChannels),
    /** The permission, without its kind: `system/setting/dict/type/add` or `tool/article.hide`. */
    action: z.string(),
    /** What was changed, such as `article:01J…`; null if nothing was. */
    target: z.nullable(z.string()),
    outcome: z.enum(auditOutcomes),
    /** `ok`, or the error code. */
    code: z.string(),
    /** What was sent, as far as the schema allows to keep it (`fields.ts`). */
    fields: z.record(z.string(), z.unknown()),
    /** Of the request; a random one for a command. */
    request_id: z.string(),
    /** Of the client; null for a command. */
    address: z.nullable(z.string()),
    /** Number of events that this entry stands for; absent for one. */
    count: z.optional(z.int()),
    /** Time of the last of these events. */
    last_at: z.optional(z.iso.datetime()),
    mac: z.string(),
  })
  .register(components, { id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof auditEntry>;

/** An entry as stored: with the Unix seconds at which it expires. */
export type StoredEntry = AuditEntry & { [ttlAttribute]: number };
/** What is recorded. The rest of an entry follows from it. */
export type AuditEvent = Omit<AuditEntry, 'id' | 'at' | 'mac'>;

/** Numbers of JSON may be larger than the table stores, so the fields are one text. */
const storedFields = z.pipe(
  z.string(),
  z.transform((text): Record<string, unknown> => JSON.parse(text)),
);

/** The partition of a month. @param month `2026-11`, UTC */
export const auditPartition = (month: string): string => `AUDIT#${month}`;

/** Entries of the audit log. A month is one partition, in the order of time. */
export const auditEntries = defineEntity({
  row: z.object({ ...auditEntry.shape, fields: storedFields, [ttlAttribute]: z.int() }),
  /** @throws Error if the ID is no ULID */
  key: ({ id }: { id: string }) => ({
    pk: auditPartition(new Date(decodeTime(id)).toISOString().slice(0, 7)),
    sk: id,
  }),
  indexes: {
    byActor: {
      name: 'gsi1',
      pk: (entry: Pick<StoredEntry, 'actor'>) => actorPartition(entry.actor),
      sk: ({ id }) => id,
    },
    byTarget: {
      name: 'gsi2',
      pk: ({ target }: Pick<StoredEntry, 'target'>) =>
        target === null ? undefined : `AUDIT_TARGET#${target}`,
      sk: ({ id }) => id,
    },
  },
  toAttributes: (entry: StoredEntry) => ({ ...entry, fields: JSON.stringify(entry.fields) }),
  missing: () => new AppError('audit.not_found'),
});

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
export const toAuditItem = (entry: StoredEntry): Item => toItem(auditEntries, entry);

/**
 * Reads an item of the log and checks all of it: its MAC, and the keys that follow from the content.
 *
 * @returns undefined if this service did not write the item as it is
 */
export function verifyAuditItem(item: Item): StoredEntry | undefined {
  const entry = readEntry(item);
  if (!entry) return undefined;
  const { mac, ...content } = entry;
  const isGenuine =
    isRecordMac(auditKeyPurpose, content, mac) && isDeepStrictEqual({ ...toAuditItem(entry) }, { ...item });
  return isGenuine ? entry : undefined;
}

function readEntry(item: Item): StoredEntry | undefined {
  try {
    return z.parse(auditEntries.row, item);
  } catch {
    return undefined; // Not an entry of ours: the caller names it.
  }
}
