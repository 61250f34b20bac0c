import * as z from 'zod/mini';
import { type AuditEntry, actorKinds, auditEntry, auditOutcome } from '#shared/audit/entry.ts';
import { findActionTitle } from '#shared/auth/permission.ts';
import type { Needs } from '#shared/http/route.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import { components } from '#shared/schema/component.ts';
import { cursorQuery } from '#shared/schema/list.ts';
import { titled } from '#shared/schema/titled.ts';

export const auditId = titled(
  { zh_CN: '编号', en: 'ID', type: 'id' },
  z.string().check(z.regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, { error: 'rule.id' })),
);

const word = z.string().check(z.minLength(1), z.maxLength(200));

export const auditQuery = z.object({
  ...cursorQuery,
  /** `admin:01J…`, `token:01J…`, `cli:…`: kind and ID of an entry's `actor`. */
  actor: titled(
    { zh_CN: '操作者', en: 'Actor' },
    z.optional(
      z.string().check(z.regex(new RegExp(`^(${actorKinds.join('|')}):.{1,100}$`), { error: 'rule.actor' })),
    ),
  ),
  /** Kind and ID, as in an entry's `target`. */
  target: titled({ zh_CN: '对象', en: 'Target' }, z.optional(word)),
  /** The beginning of an action. */
  action: titled({ zh_CN: '操作', en: 'Action' }, z.optional(word)),
  outcome: z.optional(auditOutcome),
  /** Included. */
  from: titled({ zh_CN: '开始时间', en: 'From' }, z.optional(z.iso.datetime())),
  /** Excluded. */
  to: titled({ zh_CN: '结束时间', en: 'To' }, z.optional(z.iso.datetime())),
});
export type AuditQuery = z.infer<typeof auditQuery>;

/** An entry, and whether this service wrote it as it is. */
export type ReadEntry = AuditEntry & { genuine: boolean };

/** An entry as answered, with its text in the caller's locale. */
export const auditData = z
  .strictObject({
    ...auditEntry.shape,
    /** What was done, in the caller's locale. */
    title: titled({ zh_CN: '操作', en: 'Action' }, z.string()),
    /** False if the entry was changed or invented in the table. */
    genuine: titled({ zh_CN: '未被篡改', en: 'Genuine' }, z.boolean()),
  })
  .register(components, { id: 'ReadAuditEntry' });

/** Adds the text of an entry: the title of its route, tool or command, else its action. */
export function addTitle(
  entry: ReadEntry,
  { permissionTable, locale }: Pick<Needs, 'permissionTable'> & { locale: Locale },
): z.infer<typeof auditData> {
  const { action } = entry;
  return { ...entry, title: findActionTitle(action, permissionTable)?.[locale] ?? action };
}
