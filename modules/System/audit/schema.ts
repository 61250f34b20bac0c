import * as z from 'zod/mini';
import { type AuditEntry, actorKinds, auditEntry, auditOutcomes } from '#shared/audit/entry.ts';
import type { Needs } from '#shared/http/route.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import { components } from '#shared/schema/component.ts';
import { cursorQuery } from '#shared/schema/list.ts';

export const auditId = z.string().check(z.regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, { error: 'rule.id' }));

const word = z.string().check(z.minLength(1), z.maxLength(200));

export const auditQuery = z.object({
  ...cursorQuery,
  /** `admin:01J…`, `token:01J…`, `cli:…`: kind and ID of an entry's `actor`. */
  actor: z.optional(
    z.string().check(z.regex(new RegExp(`^(${actorKinds.join('|')}):.{1,100}$`), { error: 'rule.actor' })),
  ),
  /** Kind and ID, as in an entry's `target`. */
  target: z.optional(word),
  /** The beginning of an action. */
  action: z.optional(word),
  outcome: z.optional(z.enum(auditOutcomes)),
  /** Included. */
  from: z.optional(z.iso.datetime()),
  /** Excluded. */
  to: z.optional(z.iso.datetime()),
});
export type AuditQuery = z.infer<typeof auditQuery>;

/** An entry, and whether this service wrote it as it is. */
export type ReadEntry = AuditEntry & { genuine: boolean };

/** An entry as answered, with its text in the caller's locale. */
export const auditData = z
  .strictObject({
    ...auditEntry.shape,
    /** What was done, in the caller's locale. */
    title: z.string(),
    /** False if the entry was changed or invented in the table. */
    genuine: z.boolean(),
  })
  .register(components, { id: 'ReadAuditEntry' });

/** Adds the text of an entry: the summary of its route or tool, else its action. */
export function addTitle(
  entry: ReadEntry,
  { permissionTable: { permissions, actions }, locale }: Pick<Needs, 'permissionTable'> & { locale: Locale },
): z.infer<typeof auditData> {
  const { action } = entry;
  const title = permissions.find(({ path }) => path === action)?.title ?? actions[action];
  return { ...entry, title: title?.[locale] ?? action };
}
