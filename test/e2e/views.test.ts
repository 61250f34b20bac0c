import '../support/environment.ts';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ulid } from 'ulid';
import * as z from 'zod/mini';
import { maxViews } from '#modules/System/views/views.ts';
import { useSharedServer } from '../support/use-server.ts';

// Views of a page of the console: all who may read its list share them, and others see none of them.

const { client, admin, addAdmin, addRole } = useSharedServer();
const page = 'system/role';
const get = (of: string, token = admin.token) =>
  client.get(`/adminapi/system/view/list?page=${encodeURIComponent(of)}`, { token });
const post = (name: string, body: object, token = admin.token) =>
  client.in('en').post(`/adminapi/system/view/${name}`, body, { token });
const newView = (more: object = {}) => ({
  ...{ page, name: `View ${ulid()}`, query: 'keyword=a&page_size=50', columns: null },
  ...more,
});
const stored = z.looseObject({ id: z.string(), page: z.string(), name: z.string() });
const add = async (more: object = {}, token = admin.token) =>
  z.parse(stored, (await post('add', newView(more), token)).data);
const names = async (of = page, token = admin.token) =>
  z.parse(z.array(stored), (await get(of, token)).data).map(({ name }) => name);

describe('the views of a page', () => {
  let reader: string;
  let stranger: string;

  beforeAll(async () => {
    reader = (await addAdmin({ roles: [await addRole('system/role/list:read')] })).token;
    stranger = (await addAdmin({ roles: [await addRole('system/file:write', 'system/role/add:write')] }))
      .token;
  });

  test('are shared by those who may read its list', async () => {
    const columns = { shown: ['id'], hidden: ['remark'], order: ['remark', 'name'] };
    const view = await add({ columns }, reader);

    const seen = z.parse(z.array(stored), (await get(page)).data).find(({ id }) => id === view.id);

    expect(seen).toEqual({ ...view, query: 'keyword=a&page_size=50', columns, version: 1 });
    expect(await names(page, reader)).toContain(view.name);
    expect(await names('system/file')).not.toContain(view.name);
  });

  test('are neither seen nor changed by others', async () => {
    const { id } = await add();

    const answers = [
      await get(page, stranger),
      await post('add', newView(), stranger),
      await post('edit', { page, id, name: 'Mine', version: 1 }, stranger),
      await post('delete', { page, id }, stranger),
      // The right to another page does not reach over.
      await post('edit', { page: 'system/file', id, name: 'Mine', version: 1 }, stranger),
      await post('delete', { page: 'system/file', id }, stranger),
    ];

    const refusal = ['auth.permission_denied', ['system/role/list:read']];
    const read = answers.map(({ code, errors }) => [code, errors.map(({ path }) => path)]);
    expect(read.slice(0, 4)).toEqual(Array(4).fill(refusal));
    expect(read.slice(4)).toEqual(Array(2).fill(['view.not_found', []]));
    expect((await post('edit', { page, id, query: '', version: 1 })).code).toBe('ok');
  });

  test.each(['system/nothing', 'system/role/list', 'article/article/list/x', 'system/login'])(
    'are refused for %s, which has no list, also to a super administrator',
    async (path) => {
      const codes = [(await get(path)).code, (await post('add', newView({ page: path }))).code];

      expect(codes).toEqual(['auth.permission_denied', 'auth.permission_denied']);
    },
  );

  test('have names that differ in more than case and width', async () => {
    const { id, name } = await add();
    const taken = `ＶＩＥＷ${name.slice(4)}`;
    const other = await add();

    const answers = [
      await post('add', newView({ name: taken })),
      await post('edit', { page, id: other.id, name: taken, version: 1 }),
      await post('edit', { page, id, name: taken, version: 1 }),
      await post('add', newView({ page: 'system/file', name })),
    ];

    expect(answers.map(({ code }) => code)).toEqual(['view.exists', 'view.exists', 'ok', 'ok']);
  });

  test('free their names by a new name and by deletion', async () => {
    const { id, name } = await add();
    const later = newView().name;
    await post('edit', { page, id, name: later, version: 1 });
    const { code } = await post('add', newView({ name }));

    const answers = [await post('delete', { page, id }), await post('add', newView({ name: later }))];

    expect([code, ...answers.map((answer) => answer.code)]).toEqual(['ok', 'ok', 'ok']);
  });

  test('are edited in the version that was read', async () => {
    const { id } = await add();
    await post('edit', { page, id, query: 'keyword=b', version: 1 });

    const answers = [
      await post('edit', { page, id, query: 'keyword=c', version: 1 }),
      await post('edit', { page, id: '01J00000000000000000000000', query: '', version: 1 }),
      await post('delete', { page, id: '01J00000000000000000000000' }),
    ];

    expect(answers.map(({ code }) => code)).toEqual(['version_conflict', 'view.not_found', 'view.not_found']);
  });

  const noColumns = { shown: [], hidden: [], order: [] };
  test.each([
    ['a long name', { name: 'n'.repeat(51) }, 'body.name'],
    ['no name', { name: '  ' }, 'body.name'],
    ['long filters', { query: 'q'.repeat(2001) }, 'body.query'],
    ['many columns', { columns: { ...noColumns, shown: Array(101).fill('a') } }, 'body.columns.shown'],
    ['a page that is no path', { page: '../role' }, 'body.page'],
  ])('refuse %s', async (_what, more, path) => {
    const { code, errors } = await post('add', newView(more));

    expect([code, errors[0]?.path]).toEqual(['request.invalid', path]);
  });

  test(`are at most ${maxViews}, also if they are added at the same time`, async () => {
    const full = 'system/oauth/client';
    await Promise.all(Array.from({ length: maxViews + 5 }, () => post('add', newView({ page: full }))));
    while ((await names(full)).length < maxViews) await add({ page: full });

    const { code, errors } = await post('add', newView({ page: full }));

    expect([code, errors]).toEqual([
      'request.invalid',
      [{ path: 'body', message: `A page has at most ${maxViews} views` }],
    ]);
    expect((await names(full)).length).toBe(maxViews);
  });

  test('stand in the audit log with their names', async () => {
    const { id, name } = await add();
    // The second refusal of an administrator and route in an hour is only counted.
    await post('delete', { page, id }, (await addAdmin({ roles: [] })).token);
    await post('delete', { page, id });

    const target = encodeURIComponent(`view:${page}:${id}`);
    const { data } = await client.get(`/adminapi/system/audit/list?target=${target}`, { token: admin.token });

    const { list } = z.parse(
      z.looseObject({ list: z.array(z.looseObject({ action: z.string(), outcome: z.string() })) }),
      data,
    );
    const shown = list.map(({ action, outcome }) => `${action} ${outcome}`);
    expect(shown).toEqual(['system/view/delete ok', 'system/view/delete refused', 'system/view/add ok']);
    expect(JSON.stringify(list.at(-1))).toContain(name);
  });
});
