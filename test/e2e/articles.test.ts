import { beforeAll, describe, expect, test } from '@jest/globals';
import { idsOf, outcome, paths } from '../support/answers.ts';
import { useSharedServer } from '../support/use-server.ts';
import { adminPath, createDesk, publicPath, readStored, unknownId } from './article-fixture.ts';
import { createPhones, newMobile } from './user-fixture.ts';

const refused = '422 request.invalid';

let userToken: string;

const { server, client, admin } = useSharedServer();
const desk = createDesk(admin);

beforeAll(async () => {
  const registered = await createPhones(server, client).register(newMobile());
  userToken = registered.data.token;
});

const read = (path: string) => client.get(`${publicPath}/${path}`);

describe('an article', () => {
  test('is added, edited, disabled and deleted', async () => {
    const added = await desk.post('add', { title: ' 标题 ', category: 'news', content: '<p>一</p>' });
    const { id } = added.data;

    const edited = await desk.post('edit', { id, version: 1, title: 'Two', category: 'help' });
    const disabled = await desk.post('status', { id, status: 'disabled' });
    const detail = await desk.get(`detail?id=${id}`);
    const deleted = await desk.post('delete', { id });

    const time = expect.any(String);
    expect(added.data).toEqual({
      ...{ id, title: '标题', category: 'news', cover: '', summary: '', content: '<p>一</p>' },
      ...{ status: 'enabled', version: 1, published_at: time, created_at: time, updated_at: time },
    });
    const { published_at } = added.data;
    expect(edited.data).toMatchObject({ title: 'Two', category: 'help', version: 2, published_at });
    expect(disabled.data).toMatchObject({ title: 'Two', status: 'disabled', version: 3, published_at });
    expect(detail.data).toEqual(disabled.data);
    expect(deleted).toMatchObject({ status: 200, data: null });
    expect(outcome(await desk.get(`detail?id=${id}`))).toBe('404 article.not_found');
    expect(await readStored(server, id)).toEqual({ article: undefined, content: undefined });
  });

  test('must exist', async () => {
    const id = unknownId;

    const answers = [
      await desk.get(`detail?id=${id}`),
      await desk.post('edit', { id, version: 1 }),
      await desk.post('status', { id, status: 'enabled' }),
      await desk.post('delete', { id }),
      await read(`detail?id=${id}`),
    ];

    expect(answers.map(outcome)).toEqual(Array(5).fill('404 article.not_found'));
  });

  test('is changed by one of ten edits of the same version', async () => {
    const { id } = await desk.add();

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => desk.post('edit', { id, version: 1, title: `${index}` })),
    );

    const outcomes = answers.map(outcome);
    const winner = outcomes.indexOf('200 ok');
    expect(outcomes.filter((each) => each === '409 version_conflict')).toHaveLength(9);
    expect((await desk.get(`detail?id=${id}`)).data).toMatchObject({ version: 2, title: `${winner}` });
  });

  test('is written by administrators only', async () => {
    const { id } = await desk.add();
    const bodies = {
      add: { title: 'x', category: 'news', content: '' },
      edit: { id, version: 1, title: 'x' },
      status: { id, status: 'disabled' },
      delete: { id },
    };

    const askAs = (as: typeof client) => [
      as.get(`${adminPath}/list`),
      as.get(`${adminPath}/detail?id=${id}`),
      ...Object.entries(bodies).map(([path, body]) => as.post(`${adminPath}/${path}`, body)),
    ];
    const asGuest = await Promise.all(askAs(client));
    const asUser = await Promise.all(askAs(client.as(userToken)));

    expect(asGuest.map(outcome)).toEqual(Array(6).fill('401 auth.token_missing'));
    expect(asUser.map(outcome)).toEqual(Array(6).fill('401 auth.principal_mismatch'));
    expect((await desk.get(`detail?id=${id}`)).data.version).toBe(1);
  });
});

describe('readers', () => {
  test('see enabled articles, with a login and without, at a limited rate', async () => {
    const [shown, hidden] = [await desk.add(), await desk.add({ status: 'disabled' })];

    const guest = await read(`detail?id=${shown.id}`);
    const user = await client.get(`${publicPath}/detail?id=${shown.id}`, { token: userToken });
    const listed = await read('list?limit=100');
    const asked = await read('list?limit=100&status=disabled');

    expect(guest.data).toEqual(shown);
    expect(user.data).toEqual(shown);
    expect(outcome(await read(`detail?id=${hidden.id}`))).toBe('404 article.not_found');
    const { content: _, ...summary } = shown;
    expect(listed.data.list).toContainEqual(summary);
    expect(idsOf(listed)).not.toContain(hidden.id);
    expect(idsOf(asked)).toEqual(idsOf(listed));
    for (const { headers } of [guest, listed]) expect(headers.get('ratelimit-limit')).toMatch(/^\d+$/);
  });

  test('see at once that an article is enabled, disabled or deleted', async () => {
    const { id } = await desk.add({ status: 'disabled' });
    const steps = [
      () => desk.post('status', { id, status: 'enabled' }),
      () => desk.post('status', { id, status: 'disabled' }),
      () => desk.post('edit', { id, version: 3, status: 'enabled' }),
      () => desk.post('delete', { id }),
    ];

    const seen: unknown[] = [];
    for (const step of steps) {
      await step();
      const [detail, list] = [await read(`detail?id=${id}`), await read('list?limit=1')];
      seen.push(`${detail.status} ${idsOf(list).includes(id)}`);
    }

    expect(seen).toEqual(['200 true', '404 false', '200 true', '404 false']);
  });
});

describe('lists', () => {
  const category = 'listed here';
  const ids: Record<'all' | 'enabled' | 'disabled', string[]> = { all: [], enabled: [], disabled: [] };

  beforeAll(async () => {
    await desk.addCategory(category);
    for (const status of ['enabled', 'disabled', 'enabled', 'enabled', 'disabled'] as const) {
      const { id } = await desk.add({ category, status });
      for (const list of [ids.all, ids[status]]) list.unshift(id);
    }
    for (const list of Object.values(ids)) list.sort().reverse();
  });

  test.each([
    ['every status', '', ids.all],
    ['one status', '&status=disabled', ids.disabled],
    ['the other status', '&status=enabled', ids.enabled],
  ])('of a category in %s are read by cursor, newest first', async (_, filter, expected) => {
    const path = `list?limit=2&category=${encodeURIComponent(category)}${filter}`;
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await desk.get(path + (cursor && `&cursor=${cursor}`));
      seen.push(...idsOf(page));
      cursor = page.data.next_cursor;
    }

    expect(seen).toEqual(expected);
    expect(expected.length).toBeGreaterThan(1);
  });

  test('of readers hold the enabled ones of a category', async () => {
    const first = await read(`list?limit=2&category=${encodeURIComponent(category)}`);
    const { next_cursor } = first.data;
    const rest = await read(`list?limit=2&category=${encodeURIComponent(category)}&cursor=${next_cursor}`);

    expect([...idsOf(first), ...idsOf(rest)]).toEqual(ids.enabled);
    expect(rest.data.next_cursor).toBeNull();
    expect(first.text).not.toContain('"content"');
  });

  test('refuse invalid limits and cursors of other lists', async () => {
    const { next_cursor: mine } = (await desk.get('list?limit=1')).data;
    const { next_cursor: readers } = (await read('list?limit=1')).data;

    const answers = [
      await desk.get('list?limit=0'),
      await desk.get('list?limit=101'),
      await desk.get('list?limit=ten'),
      await read('list?limit=101'),
      await desk.get('list?status=gone'),
      await desk.get(`list?category=${encodeURIComponent('分类')}`),
      await desk.get('list?cursor=abc'),
      await desk.get(`list?cursor=${readers}`),
      await read(`list?cursor=${mine}`),
      await desk.get(`list?cursor=${mine}&status=enabled`),
      await desk.get(`list?cursor=${mine}&category=news`),
      await read(`list?cursor=${readers}&category=news`),
    ];

    expect(answers.map(outcome)).toEqual(Array(12).fill(refused));
    expect(answers.flatMap(paths)).toEqual([
      ...Array(4).fill('query.limit'),
      'query.status',
      'query.category',
      ...Array(6).fill('query.cursor'),
    ]);
  });
});
