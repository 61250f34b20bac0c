import * as z from 'zod/mini';
import { ttlAttribute } from '#shared/db/table.ts';
import { components } from '#shared/schema/component.ts';

export const actorKinds = ['admin', 'token', 'oauth', 'cli', 'system'] as const;
const auditChannels = ['api', 'mcp', 'chat', 'cli'] as const;
export const auditOutcomes = ['ok', 'refused', 'failed'] as const;
export type AuditChannel = (typeof auditChannels)[number];

const actor = z.strictObject({
  kind: z.enum(actorKinds),
  /** ID of the administrator, or the user of a command; null if the caller is not known, as after a wrong account. */
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
    /** ID of the request; a random one for a command. */
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
