import * as z from 'zod/mini';
import { retryOnConflict } from '#shared/db/entity.ts';
import { defineRevisionsRoute } from '#shared/http/revisions-route.ts';
import { admin, type Route } from '#shared/http/route.ts';
import { status } from '#shared/schema/fields.ts';
import { searchListOf } from '#shared/schema/list.ts';
import { recordId } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import type { RecordKind } from './define-record.ts';
import type { Edit, Fields } from './options.ts';

// Routes of a kind of record in `Admin/`, one call each. A handler of another kind calls the operations itself.

const byId = { id: recordId };

/** GET `…/list`: by cursor, with the filters and the search of the kind. */
export const listRoute = <F extends Fields>({ title, schemas, list }: RecordKind<F>): Route =>
  admin.get({
    summary: { zh_CN: `${title.zh_CN}列表`, en: `List ${title.plural}` },
    query: schemas.query,
    data: searchListOf(schemas.data),
    prefetch: ({ query }) => list(query),
    handler: async ({ prefetched }) => prefetched,
  });

/** GET `…/detail` by `id`. */
export const detailRoute = <F extends Fields>({ title, schemas, entity, get }: RecordKind<F>): Route =>
  admin.get({
    summary: { zh_CN: `${title.zh_CN}详情`, en: `Get a ${title.en}` },
    query: z.object(byId),
    data: schemas.data,
    errors: [entity.missing().code],
    prefetch: ({ query }) => get(query.id),
    handler: async ({ prefetched }) => prefetched,
  });

/** POST `…/add`. */
export const addRoute = <F extends Fields>({ title, schemas, add }: RecordKind<F>): Route =>
  admin.post({
    summary: { zh_CN: `新增${title.zh_CN}`, en: `Add a ${title.en}` },
    body: schemas.added,
    data: schemas.data,
    errors: ['record.taken', 'record.exists'],
    handler: ({ body }) => add(body),
  });

/** POST `…/edit`: fields that are left out stay. */
export const editRoute = <F extends Fields>({ title, schemas, entity, edit }: RecordKind<F>): Route =>
  admin.post({
    summary: { zh_CN: `编辑${title.zh_CN}`, en: `Edit a ${title.en}` },
    body: schemas.edited,
    data: schemas.data,
    errors: [entity.missing().code, 'version_conflict', 'record.taken'],
    handler: ({ body }) => edit(body),
  });

/** POST `…/delete` by `id`. */
export const deleteRoute = <F extends Fields>({ title, entity, remove }: RecordKind<F>): Route =>
  admin.post({
    summary: { zh_CN: `删除${title.zh_CN}`, en: `Delete a ${title.en}` },
    body: z.strictObject(byId),
    data: z.null(),
    errors: [entity.missing().code, 'version_conflict'],
    handler: ({ body }) => remove(body.id),
  });

/** POST `…/status` for a kind with the field `status`: enables or disables a record of any version. */
export const statusRoute = <F extends Fields & { status: typeof status }>({
  title,
  schemas,
  entity,
  get,
  edit,
}: RecordKind<F>): Route =>
  admin.post({
    summary: { zh_CN: `启用或停用${title.zh_CN}`, en: `Enable or disable a ${title.en}` },
    body: z.strictObject({ id: recordId, status }),
    data: schemas.data,
    errors: [entity.missing().code, 'version_conflict'],
    handler: ({ body }) =>
      retryOnConflict(10, async () => {
        const { version } = await get(body.id);
        return edit({ id: body.id, version, status: body.status } as unknown as Edit<F>);
      }),
  });

/** GET `…/revisions` of a kind that keeps them. */
export const revisionsRoute = <F extends Fields>({ title, entity, schemas }: RecordKind<F>): Route =>
  defineRevisionsRoute(entity, {
    summary: { zh_CN: `${title.zh_CN}的修改历史`, en: `The history of a ${title.en}` },
    keys: byId,
    data: schemas.data as unknown as z.ZodMiniObject,
  });

/** A line of a file. */
const importedLine = <Values extends z.core.$ZodType>(values: Values) =>
  z.strictObject({
    line: titled({ zh_CN: '行号', en: 'Number' }, z.int().check(z.gte(0), z.lte(1e6))),
    values: titled({ zh_CN: '值', en: 'Values' }, values),
  });

/** Most lines of one request of an import. */
const mostLines = 100;

/**
 * POST `…/import`: lines of a file, at most 100 in a request. With `check` nothing is written. A line that an earlier
 * request with the same `key` has added is left alone, so an import may be cut and repeated.
 */
export const importRoute = <F extends Fields>({ title, schemas, importLines }: RecordKind<F>): Route =>
  admin.post({
    summary: { zh_CN: `导入${title.zh_CN}`, en: `Import ${title.plural}` },
    body: z.strictObject({
      key: titled({ zh_CN: '文件标识', en: 'Key of the file' }, z.string().check(z.regex(/^[\w-]{16,64}$/))),
      check: titled({ zh_CN: '只检查', en: 'Only check' }, z.boolean()),
      lines: titled(
        { zh_CN: '行', en: 'Lines' },
        z.array(importedLine(schemas.added)).check(z.minLength(1), z.maxLength(mostLines)),
      ),
    }),
    data: z.strictObject({
      added: titled({ zh_CN: '已新增', en: 'Added' }, z.int()),
      present: titled({ zh_CN: '已存在', en: 'Added before' }, z.int()),
    }),
    errors: ['record.taken'],
    bodyLimitBytes: 4 * 1024 ** 2,
    limits: { timeoutSeconds: 29 },
    handler: ({ body }) => importLines(body),
  });
