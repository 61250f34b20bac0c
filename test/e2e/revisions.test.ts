import { beforeAll, describe, expect, test } from '@jest/globals';
import { outcome } from '../support/answers.ts';
import { useServer } from '../support/use-server.ts';
import { createDesk, unknownId } from './article-fixture.ts';

const { client, admin, addAdmin, addRole } = useServer();
const desk = createDesk(admin);

/** Each history with a record that has two changes, a grant that is enough, and one that is not. */
const histories = [
  {
    path: 'article/article/revisions',
    async create() {
      const { id } = await desk.add({ title: 'First', summary: 'a' });
      await desk.post('edit', { id, version: 1, title: 'Second', content: '<p>new</p>' });
      await desk.post('edit', { id, version: 2, title: 'Third' });
      return `id=${id}`;
    },
    unknown: `id=${unknownId}`,
    missing: '404 article.not_found',
    reader: ['article/article/revisions:read'],
    neighbour: ['article/article/detail:read'],
    changes: [
      { old: { title: 'Second', content: '<p>new</p>', version: 2 }, new: { title: 'Third', version: 3 } },
      {
        old: { title: 'First', summary: 'a', content: '<p>text</p>' },
        new: { title: 'Second', content: '<p>new</p>' },
      },
    ],
  },
  {
    path: 'system/role/revisions',
    async create() {
      const post = (path: string, body: object) => admin.post(`/adminapi/system/role/${path}`, body);
      const { id } = (await post('add', { name: 'First', grants: ['article:read'] })).data;
      await post('edit', { id, version: 1, grants: ['article:write'] });
      await post('edit', { id, version: 2, name: 'Second' });
      return `id=${id}`;
    },
    unknown: `id=${unknownId}`,
    missing: '404 role.not_found',
    reader: ['system/role:read'],
    // Sensitive: a shorter grant than that of the direct folder does not cover it.
    neighbour: ['system:read'],
    changes: [
      { old: { name: 'First', grants: ['article:write'] }, new: { name: 'Second' } },
      { old: { name: 'First', grants: ['article:read'] }, new: { grants: ['article:write'] } },
    ],
  },
  {
    path: 'system/setting/dict/data/revisions',
    async create() {
      const value = `v#${Date.now()}`;
      await desk.addCategory(value);
      await desk.postDict('data/edit', { value, version: 1, name: 'Second' });
      await desk.postDict('data/edit', { value, version: 2, status: 'disabled' });
      return `type_key=article_category&value=${encodeURIComponent(value)}`;
    },
    unknown: 'type_key=article_category&value=none',
    missing: '404 dict.item_not_found',
    reader: ['system/setting/dict/data/revisions:read'],
    neighbour: ['system/setting/dict/type:read'],
    changes: [
      { old: { name: 'Second', status: 'enabled' }, new: { status: 'disabled' } },
      { new: { name: 'Second', version: 2 } },
    ],
  },
  {
    path: 'system/setting/config/revisions',
    async create() {
      const save = (values: object) =>
        admin.post('/adminapi/system/setting/config/save', { group: 'ai', values });
      await save({ api_key: 'sk-very-hidden-words' });
      await save({ api_key: '' });
      return 'group=ai';
    },
    unknown: 'group=none',
    missing: '422 config.unknown_key',
    reader: ['system/setting:read'],
    neighbour: ['system/role:read'],
    changes: [
      { old: { api_key: '******' }, new: { api_key: null } },
      { old: { api_key: null }, new: { api_key: '******' } },
    ],
  },
];

describe.each(histories)('$path', ({ path, create, unknown, missing, reader, neighbour, changes }) => {
  const url = `/adminapi/${path}`;
  let keys: string;
  const read = (query: string) => client.in('en').get(`${url}?${query}`, { token: admin.token });

  beforeAll(async () => {
    keys = await create();
  });

  test('has what each change replaced and set, and who made it, newest first', async () => {
    const { data } = await read(keys);

    expect(data).toMatchObject({ list: changes, next_cursor: null });
    expect(data.list).toHaveLength(changes.length);
    for (const each of data.list) {
      expect(each).toMatchObject({ by: { kind: 'admin', account: expect.any(String) } });
      expect(each.title).not.toBe(each.action);
    }
    expect(JSON.stringify(data)).not.toContain('very-hidden');
    const audited = await admin.get(`/adminapi/system/audit/list?action=${data.list[0].action}`);
    const ids = audited.data.list.map((entry: { request_id: string }) => entry.request_id);
    expect(ids).toContain(data.list[0].request_id);
  });

  test('goes on by its cursor, which opens no other history', async () => {
    const first = (await read(`${keys}&limit=1`)).data;
    const rest = (await read(`${keys}&cursor=${encodeURIComponent(first.next_cursor)}`)).data;
    const foreign = await read(
      `${path.includes('config') ? 'group=login' : await create()}&cursor=${encodeURIComponent(first.next_cursor)}`,
    );

    const lists = [...first.list, ...rest.list];
    expect(lists).toMatchObject(changes);
    expect(outcome(foreign)).toBe('422 request.invalid');
  });

  test('refuses unknown records, and callers without its right', async () => {
    const [granted, other] = [await addRole(...reader), await addRole(...neighbour)];
    const [holder, stranger] = [await addAdmin({ roles: [granted] }), await addAdmin({ roles: [other] })];

    expect(outcome(await read(unknown))).toBe(missing);
    expect(outcome(await client.get(`${url}?${keys}`))).toBe('401 auth.token_missing');
    const denied = await client.get(`${url}?${keys}`, { token: stranger.token });
    expect(outcome(denied)).toBe('403 auth.permission_denied');
    const answered = await client.get(`${url}?${keys}`, { token: holder.token });
    expect(outcome(answered)).toBe('200 ok');
  });
});

describe('the history of an article', () => {
  test('goes on after its deletion, and an earlier version is put back by an ordinary edit', async () => {
    const { id } = await desk.add({ title: 'Right', content: '<p>long ago</p>' });
    await desk.post('edit', { id, version: 1, title: 'Wrong', content: '<p>now</p>' });
    const read = async () => (await desk.get(`revisions?id=${id}`)).data.list;
    const [{ old }] = await read();

    const { title, content } = old;
    const stale = await desk.post('edit', { id, version: 1, title, content });
    const restored = await desk.post('edit', { id, version: 2, title, content });
    await desk.post('delete', { id });
    const [deletion, restoring] = await read();

    expect(outcome(stale)).toBe('409 version_conflict');
    expect(restored.data).toMatchObject({ title: 'Right', content: '<p>long ago</p>', version: 3 });
    expect(restoring).toMatchObject({ old: { title: 'Wrong' }, new: { title: 'Right' } });
    expect(deletion).toMatchObject({
      ...{ action: 'article/article/delete', new: null },
      old: { title: 'Right', content: '<p>long ago</p>', version: 3 },
    });
  });
});

describe('the history of a dictionary', () => {
  test('has what an import changed and removed', async () => {
    const type_key = 'import_history';
    await admin.post('/adminapi/system/setting/dict/type/add', { type_key, name: 'T', enabled: true });
    const run = (items: object[]) =>
      admin.post('/adminapi/system/setting/dict/data/import', { type_key, mode: 'replace', items });
    const items = Array.from({ length: 120 }, (_, index) => ({ value: `${index}`, name: `${index}` }));
    await run(items);
    await run(items.slice(1).map(({ value }) => ({ value, name: `new ${value}` })));
    const read = async (value: string) =>
      (await admin.get(`/adminapi/system/setting/dict/data/revisions?type_key=${type_key}&value=${value}`))
        .data.list;

    expect(await read('0')).toMatchObject([{ old: { name: '0' }, new: null }]);
    expect(await read('1')).toMatchObject([{ old: { name: '1' }, new: { name: 'new 1' } }]);
    expect(await read('119')).toMatchObject([{ old: { name: '119' }, new: { name: 'new 119' } }]);
  });
});
