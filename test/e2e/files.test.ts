import { describe, expect, test } from '@jest/globals';
import { idsOf, outcome, paths } from '../support/answers.ts';
import { useSharedServer } from '../support/use-server.ts';
import { uploadPicture } from './file-fixture.ts';
import { createPhones, newMobile } from './user-fixture.ts';

const base = '/adminapi/system/file';
const unknownId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

const { server, client, admin } = useSharedServer();

const { get, post } = admin.at(base);

const upload = (name: string, cid?: string) => uploadPicture(admin, name, cid);

const addCategory = async (body: object = {}) =>
  (await post('category/add', { name: 'Pictures', type: 'image', ...body })).data;

describe('the file manager', () => {
  test('uploads, changes and deletes a file', async () => {
    const category = await addCategory();
    const uploaded = await upload('First.png');

    const moved = await post('move', { ids: [uploaded.id, uploaded.id, unknownId], cid: category.id });
    const renamed = await post('rename', { id: uploaded.id, name: 'Second.PNG' });
    const listed = await get(`list?cid=${category.id}&keyword=second`);
    const read = await get(`detail?id=${uploaded.id}`);
    const notEmpty = await post('category/delete', { id: category.id });
    const address = uploaded.url.replace(/^https?:\/\/[^/]+/, server.url);
    const served = await fetch(address);
    const deleted = await post('delete', { ids: [uploaded.id] });
    const gone = await fetch(address);
    const missing = await get(`detail?id=${uploaded.id}`);
    const again = await post('delete', { ids: [uploaded.id] });
    const empty = await post('category/delete', { id: category.id });

    const expected = { ...uploaded, name: 'Second.PNG', cid: category.id };
    expect(moved.data).toEqual({ moved: 1 });
    expect(renamed.data).toEqual(expected);
    expect(read.data).toEqual(expected);
    expect(outcome(missing)).toBe('404 file.not_found');
    expect(listed.data).toEqual({ list: [expected], next_cursor: null });
    expect(outcome(notEmpty)).toBe('409 file.category_not_empty');
    expect([served.status, gone.status]).toEqual([200, 404]);
    expect(deleted.data).toEqual({ deleted: 1, failed: [] });
    expect(again.data).toEqual({ deleted: 0, failed: [{ id: uploaded.id, code: 'file.not_found' }] });
    expect(empty).toMatchObject({ status: 200, data: null });
  });

  test('lists the newest first, by cursor, also through a keyword', async () => {
    const cid = (await addCategory()).id;
    const files = [];
    for (const name of ['a Cat.png', 'a dog.png', 'cats.png', 'CAT.png']) files.push(await upload(name, cid));
    const newest = files.map(({ id }) => id).reverse();

    const all = await get(`list?cid=${cid}&type=`);
    const first = await get(`list?cid=${cid}&keyword=cat&limit=2`);
    const cursor = encodeURIComponent(first.data.next_cursor ?? '');
    const second = await get(`list?cid=${cid}&keyword=CAT&limit=2&cursor=${cursor}`);

    expect(outcome(all)).toBe('422 request.invalid');
    expect(idsOf(await get(`list?cid=${cid}`))).toEqual(newest);
    expect(idsOf(await get('list?limit=4&cid='))).toEqual(newest);
    expect(idsOf(await get('list?limit=4&cid=0&type=image'))).toEqual(newest);
    expect(idsOf(first)).toEqual([newest[0], newest[1]]);
    expect(second.data).toMatchObject({ list: [{ id: newest[3] }], next_cursor: null });
  });

  test('takes files out of their category', async () => {
    const cid = (await addCategory()).id;
    for (const out of [null, '', 0, '0']) {
      const { id } = await upload('a.png', cid);
      expect((await post('move', { ids: [id], cid: out })).data).toEqual({ moved: 1 });
    }
    expect(idsOf(await get(`list?cid=${cid}`))).toEqual([]);
    expect((await post('category/delete', { id: cid })).status).toBe(200);
  });
});

describe('file categories', () => {
  test('are added, listed by page, renamed and deleted', async () => {
    const parent = await addCategory({ type: 'file', parent_id: '' });
    const child = await addCategory({ name: ' Child ', type: 'file', parent_id: parent.id });

    const page = await get('category/list?type=file&page_no=1&page_size=1');
    const next = await get('category/list?type=file&page_no=2&page_size=1');
    const edited = await post('category/edit', { id: child.id, name: '子分类' });
    const refused = await post('category/delete', { id: parent.id });

    expect(parent).toEqual({ id: parent.id, name: 'Pictures', type: 'file', parent_id: null });
    expect(page.data).toEqual({ list: [parent], total: 2, page_no: 1, page_size: 1 });
    expect(next.data).toMatchObject({ list: [{ ...child, name: 'Child', parent_id: parent.id }] });
    expect(edited.data).toEqual({ ...child, name: '子分类' });
    expect(outcome(refused)).toBe('409 file.category_not_empty');
    for (const { id } of [child, parent]) expect((await post('category/delete', { id })).data).toBeNull();
    expect((await get('category/list?type=file')).data).toMatchObject({ list: [], total: 0 });
  });

  test('must exist', async () => {
    const answers = [
      await post('category/edit', { id: unknownId, name: 'a' }),
      await post('category/delete', { id: unknownId }),
      await post('rename', { id: unknownId, name: 'a' }),
    ];

    const missing = '404 file.category_not_found';
    expect(answers.map(outcome)).toEqual([missing, missing, '404 file.not_found']);
  });
});

describe('bad input', () => {
  const ids = (count: number) =>
    Array.from({ length: count }, (_, index) => `01ARZ3NDEKTSV4RRFFQ69G${String(index).padStart(4, '0')}`);
  const id = unknownId;
  const one = [id];
  const [lower, broken] = [id.toLowerCase(), `${id}\n`];
  const cases: [path: string, body: object, at: string][] = [
    ['category/add', { name: 'x'.repeat(51), type: 'image' }, 'name'],
    ['category/add', { name: 'a', type: 'image', depth: 1 }, 'depth'],
    ['category/edit', { id, name: 'a', type: 'file' }, 'type'],
    ['category/delete', { id, force: true }, 'force'],
    ['move', { ids: one, cid: null, type: 'image' }, 'type'],
    ['rename', { id, name: 'a', url: 'a' }, 'url'],
    ['delete', { ids: one, force: true }, 'force'],
  ];
  for (const bad of [[], ids(51), 'a', [1], ['a'], [lower], [broken], null, undefined])
    cases.push(['move', { ids: bad, cid: null }, 'ids'], ['delete', { ids: bad }, 'ids']);
  for (const cid of [undefined, 1, false, 'a', '00', '#total', lower, {}])
    cases.push(['move', { ids: one, cid }, 'cid']);
  for (const bad of ['', '1', 1, null, undefined, {}])
    for (const path of ['rename', 'category/edit']) cases.push([path, { id: bad, name: 'a' }, 'id']);
  for (const bad of ['', '1', 1, null, undefined, {}]) cases.push(['category/delete', { id: bad }, 'id']);
  for (const name of ['', ' ', 'x'.repeat(101), 'a\0b', 'a\u0007', '\ud800', 1, null, undefined, ['a']]) {
    for (const path of ['rename', 'category/edit']) cases.push([path, { id, name }, 'name']);
    cases.push(['category/add', { name, type: 'image' }, 'name']);
  }
  for (const type of ['', 'audio', 'Image', null, undefined])
    cases.push(['category/add', { name: 'a', type }, 'type']);
  for (const parent_id of [1, 'a', {}])
    cases.push(['category/add', { name: 'a', type: 'image', parent_id }, 'parent_id']);

  test.each(cases)('is refused by %s %j at %s', async (path, body, at) => {
    const answer = await post(path, body);

    expect(outcome(answer)).toBe('422 request.invalid');
    expect(paths(answer).map((each) => each.split('.')[1])).toEqual([at]);
    expect(answer.errors[0]?.message).not.toMatch(/^rule\./);
  });

  test.each([
    ['list?type=audio', 'query.type'],
    ['list?cid=1', 'query.cid'],
    ['list?keyword=', 'query.keyword'],
    ['list?keyword=%20', 'query.keyword'],
    ['list?keyword=a%00', 'query.keyword'],
    [`list?keyword=${'x'.repeat(101)}`, 'query.keyword'],
    ['list?limit=0', 'query.limit'],
    ['list?limit=101', 'query.limit'],
    ['list?cursor=abc', 'query.cursor'],
    [`list?type=image&cid=${unknownId}`, 'query.cid'],
    ['category/list?type=audio', 'query.type'],
    ['category/list?page_no=0', 'query.page_no'],
    ['category/list?page_size=201', 'query.page_size'],
  ])('is refused by %s at %s', async (path, at) => {
    const answer = await get(path);

    expect([outcome(answer), paths(answer)]).toEqual(['422 request.invalid', [at]]);
    // Every rule has a message.
    expect(answer.errors[0]?.message).not.toMatch(/^rule\./);
  });

  test('includes callers who are not administrators', async () => {
    const user = (await createPhones(server, client).register(newMobile())).data;
    const routes = ['move', 'rename', 'delete', 'category/add', 'category/edit', 'category/delete'];

    const answers = [
      await client.get(`${base}/list`),
      await client.get(`${base}/list`, { token: user.token }),
      await client.get(`${base}/category/list`, { token: user.token }),
      ...(await Promise.all(routes.map((path) => client.post(`${base}/${path}`, {}, { token: user.token })))),
    ];

    const mismatches = Array(8).fill('401 auth.principal_mismatch');
    expect(answers.map(outcome)).toEqual(['401 auth.token_missing', ...mismatches]);
  });
});
