import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { createConsoleDescription } from '#functions/console/create-description.ts';
import type { Action, PageDescription } from '#functions/console/description.ts';
import { admin, type Route } from '#shared/http/route.ts';
import { cursorListOf, cursorQuery, pageOf, pageQuery } from '#shared/schema/list.ts';
import { recordId } from '#shared/schema/text.ts';
import { foundModule, foundRoute } from '../fixtures.ts';

const options = { summary: { zh_CN: '甲', en: 'A' }, data: z.null(), handler: async () => null };
const row = z.strictObject({ id: recordId, name: z.string() });
const shop = foundModule('Shop', {
  manifest: {
    name: 'Shop',
    title: { zh_CN: '商店', en: 'Shop' },
    version: '1.0.0',
    adminFolders: { order: { zh_CN: '订单', en: 'Orders', records: 'order' } },
  },
});

const describeRoutes = (routes: Record<string, Route>) =>
  createConsoleDescription({
    modules: [shop],
    routes: Object.entries(routes).map(([path, route]) =>
      foundRoute({ module: 'Shop', path: `/adminapi/shop/${path}`, route }),
    ),
  });

function describeAction(name: string, action: Route, item: z.core.$ZodType = row): Action | undefined {
  const list = { ...admin.get(options), data: pageOf(item) };
  const { pages } = describeRoutes({ 'order/list': list, [`order/${name}`]: action });
  return pages[0]?.actions[0];
}

const post = (body: z.core.$ZodType): Route => admin.post({ ...options, body });

describe('the description of pages', () => {
  test('names the records of a folder as the audit log does, if the manifest says how', () => {
    const list = admin.get(options);

    const { pages } = describeRoutes({ 'order/list': list, 'order/line/list': list });

    expect(pages.map(({ path, title, records }) => ({ path, title, records }))).toEqual([
      { path: 'shop/order', title: { zh_CN: '订单', en: 'Orders' }, records: 'order' },
      { path: 'shop/order/line', title: { zh_CN: '商店', en: 'Shop' }, records: undefined },
    ]);
  });

  test('has a page for each folder with a list, with all other routes as its actions', () => {
    const { pages, modules } = describeRoutes({
      'order/add': post(z.strictObject({ name: z.string() })),
      'order/list': admin.get({ ...options, data: z.null() }),
      'order/line/list': admin.get(options),
      'report/run': post(z.strictObject({})),
    });

    expect(modules).toEqual([{ name: 'Shop', prefix: 'shop', title: { zh_CN: '商店', en: 'Shop' } }]);
    expect(
      pages.map(({ path, title, actions }) => [path, title.en, actions.map(({ name }) => name)]),
    ).toEqual([
      ['shop/order', 'Orders', ['add']],
      ['shop/order/line', 'Shop', []],
    ]);
  });

  const query = z.object({ ...pageQuery, keyword: z.string() });
  test.each<[string, Partial<Route>, PageDescription['list']['paging'], string[], string[]]>([
    ['by page', { query, data: pageOf(row) }, 'page', ['keyword'], ['id', 'name']],
    ['by cursor', { query: z.object(cursorQuery), data: cursorListOf(row) }, 'cursor', [], ['id', 'name']],
    ['that is not paged', { data: z.array(row) }, 'all', [], ['id', 'name']],
    [
      'that is not paged, in an object',
      { data: z.strictObject({ list: z.array(row) }) },
      'all',
      [],
      ['id', 'name'],
    ],
    ['of rows that are not objects', { data: pageOf(z.string()) }, 'page', [], []],
    ['of nothing', {}, 'all', [], []],
  ])('describes a list %s', (_name, list, paging, query, item) => {
    const [page] = describeRoutes({ 'order/list': { ...admin.get(options), ...list } }).pages;
    const toNamed = (names: string[]) => names.map((name) => ({ name }));

    expect(page?.list).toMatchObject({ paging, query: toNamed(query), item: toNamed(item) });
  });

  test('has the permission of every admin route', () => {
    const { routes } = describeRoutes({
      'order/list': admin.get({ ...options, right: 'login' }),
      'order/add': admin.post({
        ...options,
        sensitive: true,
        formerly: ['shop/new'],
        body: z.strictObject({}),
      }),
      'order/open': admin.openGet(options),
    });

    expect(routes).toEqual({
      '/adminapi/shop/order/list': 'login',
      '/adminapi/shop/order/add': {
        path: 'shop/order/add',
        kind: 'write',
        sensitive: true,
        formerly: ['shop/new'],
      },
      '/adminapi/shop/order/open': 'open',
    });
  });
});

describe('the description of actions', () => {
  const keyed = z.strictObject({ type_key: z.string(), value: z.string(), name: z.string() });
  const forced = z.strictObject({ type_key: z.string(), value: z.string(), force: z.optional(z.boolean()) });

  test.each<[string, string, z.core.$ZodType, z.core.$ZodType, Action['takes'], string[]]>([
    ['no record', 'sync', z.strictObject({}), row, 'none', []],
    ['a record by ID', 'pay', z.strictObject({ id: recordId }), row, 'id', ['id']],
    ['records by ID', 'move', z.strictObject({ ids: z.array(recordId) }), row, 'ids', ['id']],
    [
      'no record, if the ID may be missing',
      'pay',
      z.strictObject({ id: z.optional(recordId) }),
      row,
      'none',
      [],
    ],
    ['a record by other fields', 'delete', forced, keyed, 'id', ['type_key', 'value']],
    ['no record, if it adds one', 'add', keyed, keyed, 'none', []],
  ])('finds one that takes %s', (_name, path, body, item, takes, keys) => {
    expect(describeAction(path, post(body), item)).toMatchObject({ takes, keys });
  });

  test('finds one with a version, and one that cannot be undone', () => {
    const versioned = z.strictObject({ id: recordId, version: z.int() });

    expect(describeAction('edit', post(versioned))).toMatchObject({ isVersioned: true, isDangerous: false });
    expect(describeAction('delete', post(z.strictObject({ id: recordId })))).toMatchObject({
      isVersioned: false,
      isDangerous: true,
    });
  });

  test('shows a field that is added to the schema', () => {
    const before = describeAction('edit', post(z.strictObject({ id: recordId })));
    const after = describeAction('edit', post(z.strictObject({ id: recordId, price: z.int() })));

    expect(before?.body).toHaveLength(1);
    expect(after?.body).toEqual([
      before?.body[0],
      expect.objectContaining({ name: 'price', type: 'integer', required: true, nullable: false }),
    ]);
  });
});
