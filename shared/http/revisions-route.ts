import * as z from 'zod/mini';
import { auditActor } from '#shared/audit/entry.ts';
import { findActionTitle } from '#shared/auth/permission.ts';
import type { Entity } from '#shared/db/entity.ts';
import { listRevisions, type Revision } from '#shared/db/revisions/read.ts';
import type { LocalisedText } from '#shared/schema/component.ts';
import { cursorListOf, cursorQuery } from '#shared/schema/list.ts';
import { titled } from '#shared/schema/titled.ts';
import type { Needs } from './needs.ts';
import { admin, type Route } from './route.ts';

/** `data` of a list of revisions. @param row the values of one */
export const revisionList = <Row extends z.core.$ZodType>(row: Row) =>
  cursorListOf(
    z.strictObject({
      id: titled({ zh_CN: '编号', en: 'ID', type: 'id' }, z.string()),
      at: titled({ zh_CN: '时间', en: 'Time' }, z.iso.datetime()),
      /** Null if no request and no command was the cause. */
      by: titled({ zh_CN: '操作者', en: 'Actor' }, z.nullable(z.omit(auditActor, { client: true }))),
      action: titled({ zh_CN: '操作', en: 'Action' }, z.nullable(z.string())),
      /** The summary of the route, or of the tool. */
      title: titled({ zh_CN: '说明', en: 'Description' }, z.nullable(z.string())),
      /** As in the entry of the audit log. */
      request_id: titled({ zh_CN: '请求编号', en: 'Request ID' }, z.nullable(z.string())),
      /** The record before the change. */
      old: titled({ zh_CN: '修改前', en: 'Before' }, row),
      /** The values that the change has set; null for a deletion. */
      new: titled({ zh_CN: '修改后', en: 'After' }, z.nullable(row)),
    }),
  );

/** A revision as answered, with what was done in the caller's locale. */
export function toAnswer(
  { by, action, ...revision }: Revision,
  { permissionTable, locale }: Pick<Needs, 'permissionTable'> & { locale: keyof LocalisedText },
) {
  const title = action === null ? null : (findActionTitle(action, permissionTable)?.[locale] ?? action);
  return { ...revision, action, title, by: z.parse(z.nullable(z.omit(auditActor, { client: true })), by) };
}

/** The place in the list, as it was read from the query. */
const place = z.object({ limit: z.int(), cursor: z.optional(z.string()) });

interface RevisionsOptions<Keys extends z.core.$ZodLooseShape> {
  summary: LocalisedText;
  /** The parameters that name the record, as those of its detail. */
  keys: Keys;
  /** `data` of the record's detail. */
  data: z.ZodMiniObject;
  /** As the detail says. */
  sensitive?: boolean;
}

/**
 * The route of a record's history, `…/revisions`: what each change has replaced, newest first.
 *
 * @param entity keeps `revisions`
 */
export function defineRevisionsRoute<Keys extends z.core.$ZodLooseShape>(
  entity: Pick<Entity<object, z.output<z.ZodMiniObject<Keys>>>, 'key' | 'missing'>,
  { summary, keys, data, sensitive }: RevisionsOptions<Keys>,
): Route {
  const named = z.object(keys);
  return admin.get({
    summary,
    ...(sensitive && { sensitive }),
    query: z.extend(named, cursorQuery),
    data: revisionList(z.partial(data)),
    needs: ['permissionTable'],
    errors: [entity.missing().code],
    prefetch: ({ query }) => listRevisions(entity, z.parse(named, query), z.parse(place, query)),
    async handler({ prefetched: { list, next_cursor }, ...context }) {
      return { list: list.map((each) => toAnswer(each, context)), next_cursor };
    },
  });
}
