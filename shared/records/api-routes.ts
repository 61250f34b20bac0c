import * as z from 'zod/mini';
import { api, type Route } from '#shared/http/route.ts';
import { searchListOf } from '#shared/schema/list.ts';
import { recordId } from '#shared/schema/text.ts';
import type { RecordKind, Shown } from './define-record.ts';
import type { Fields, NewValues } from './options.ts';
import { createQuery, createView } from './schemas.ts';

// Routes of a kind of record in `Api/`. Everything that they show is named, so a new field is not shown by itself.

interface OpenView<F extends Fields> {
  /** Fields that everybody may read; filters and search are offered for these only. */
  fields: readonly (keyof F & string)[];
  /** Only records with these values are shown. */
  where?: { [Name in keyof F]?: unknown };
}

const byId = z.object({ id: recordId });

/** The named fields of a record. */
const pick = <F extends Fields>(fields: readonly string[], record: Shown<F>) =>
  Object.fromEntries(['id', ...fields, 'created_at'].map((name) => [name, Object(record)[name]]));

/** Filters and search by shown fields only. */
const createViewQuery = <F extends Fields>(kind: RecordKind<F>, { fields, where = {} }: OpenView<F>) => {
  const isShown = (name: string) => fields.some((field) => field === name);
  const filters = kind.filters.filter((name) => isShown(name) && !Object.hasOwn(where, name));
  return createQuery(kind.fields, filters, kind.search.length > 0 && kind.search.every(isShown));
};

/** GET `…/list` without a login. */
export const openListRoute = <F extends Fields>(kind: RecordKind<F>, view: OpenView<F>): Route =>
  api.openGet({
    summary: { zh_CN: `公开的${kind.title.zh_CN}列表`, en: `List ${kind.title.plural} in public` },
    query: createViewQuery(kind, view),
    data: searchListOf(createView(kind.fields, view.fields)),
    middleware: ['throttle:public'],
    async handler({ query }) {
      const page = await kind.list({ ...query, ...view.where });
      return { ...page, list: page.list.map((record) => pick(view.fields, record)) };
    },
  });

/** GET `…/detail` without a login. A record that the list does not show is not found. */
export const openDetailRoute = <F extends Fields>(kind: RecordKind<F>, view: OpenView<F>): Route =>
  api.openGet({
    summary: { zh_CN: `公开的${kind.title.zh_CN}详情`, en: `Get a ${kind.title.en} in public` },
    query: byId,
    data: createView(kind.fields, view.fields),
    middleware: ['throttle:public'],
    errors: [kind.entity.missing().code],
    async handler({ query }) {
      const record = await kind.get(query.id);
      const isShown = Object.entries(view.where ?? {}).every(
        ([name, value]) => Object(record)[name] === value,
      );
      if (!isShown) throw kind.entity.missing();
      return pick(view.fields, record);
    },
  });

interface OwnView<F extends Fields> {
  /** Fields that its user may read; filters and search are offered for these only. */
  fields: readonly (keyof F & string)[];
}

/** GET `…/list` of the user's own records; the kind says which field is the user. */
export const ownListRoute = <F extends Fields>(kind: RecordKind<F>, { fields }: OwnView<F>): Route => {
  const own = ownerOf(kind);
  return api.get({
    summary: { zh_CN: `我的${kind.title.zh_CN}`, en: `List own ${kind.title.plural}` },
    query: createViewQuery(kind, { fields }),
    data: searchListOf(createView(kind.fields, fields)),
    async handler({ query, userId }) {
      const page = await kind.list({ ...query, [own]: userId });
      return { ...page, list: page.list.map((record) => pick(fields, record)) };
    },
  });
};

/** GET `…/detail` of an own record; one of others is not found. */
export const ownDetailRoute = <F extends Fields>(kind: RecordKind<F>, { fields }: OwnView<F>): Route => {
  const own = ownerOf(kind);
  return api.get({
    summary: { zh_CN: `我的${kind.title.zh_CN}详情`, en: `Get an own ${kind.title.en}` },
    query: byId,
    data: createView(kind.fields, fields),
    errors: [kind.entity.missing().code],
    async handler({ query, userId }) {
      const record = await kind.get(query.id);
      if (Object(record)[own] !== userId) throw kind.entity.missing();
      return pick(fields, record);
    },
  });
};

/**
 * POST `…/add` of an own record.
 *
 * @param view.input fields that the user sends
 * @param view.values of the other fields
 */
export const ownAddRoute = <F extends Fields>(
  kind: RecordKind<F>,
  view: OwnView<F> & { input: readonly (keyof F & string)[]; values?: Partial<NewValues<F>> },
): Route => {
  const own = ownerOf(kind);
  const input = Object.fromEntries(view.input.map((name) => [name, Object(kind.fields)[name]]));
  return api.post({
    summary: { zh_CN: `提交${kind.title.zh_CN}`, en: `Add an own ${kind.title.en}` },
    body: z.strictObject(input),
    data: createView(kind.fields, view.fields),
    errors: ['record.taken', 'record.exists'],
    async handler({ body, userId }) {
      const values = { ...body, ...view.values, [own]: userId };
      return pick(view.fields, await kind.add(values as unknown as NewValues<F>));
    },
  });
};

function ownerOf<F extends Fields>({ name, own }: RecordKind<F>): string {
  if (own === undefined) throw new Error(`${name}: say in "own" which field is the user`);
  return own;
}
