import { describe, expect, test } from '@jest/globals';
import { outcome } from '../support/answers.ts';
import { useSharedServer } from '../support/use-server.ts';

const types = '/adminapi/system/setting/dict/type';
const items = '/adminapi/system/setting/dict/data';
const adminRead = '/adminapi/system/config/dict';
const publicRead = '/api/system/config/dict';

const { client, admin } = useSharedServer();
const { get, post } = admin;

async function addType(type_key: string, more: Record<string, unknown> = {}): Promise<void> {
  const answer = await post(`${types}/add`, { type_key, name: type_key, enabled: true, ...more });
  expect(answer.status).toBe(200);
}

async function addItem(type_key: string, value: string, more: Record<string, unknown> = {}): Promise<void> {
  const answer = await post(`${items}/add`, { type_key, value, name: `name of ${value}`, ...more });
  expect(answer.status).toBe(200);
}

describe('dictionary types', () => {
  test('are private, without remark and of version 1 unless said otherwise', async () => {
    const answer = await post(`${types}/add`, { type_key: 'plain', name: '  Plain ', enabled: false });

    expect(answer.data).toMatchObject({
      type_key: 'plain',
      name: 'Plain',
      enabled: false,
      public: false,
      remark: '',
      version: 1,
      item_count: 0,
      updated_at: answer.data.created_at,
    });
    expect((await get(`${types}/detail?type_key=plain`)).data).toEqual(answer.data);
  });

  test('are listed in pages by keyword and enabled flag', async () => {
    await addType('listed_one', { name: '甲' });
    await addType('listed_two', { name: '乙', enabled: false });

    const byKey = await get(`${types}/list?keyword=LISTED_&page_size=1&page_no=2`);
    const byName = await get(`${types}/list?keyword=${encodeURIComponent('乙')}`);
    const enabled = await get(`${types}/list?keyword=listed_&enabled=true`);
    const all = await get(`${types}/all`);

    const second = [{ type_key: 'listed_two' }];
    expect(byKey.data).toMatchObject({ list: second, total: 2, page_no: 2, page_size: 1 });
    expect(byName.data).toMatchObject({ list: second, total: 1 });
    expect(enabled.data).toMatchObject({ list: [{ type_key: 'listed_one' }], total: 1 });
    expect(all.data).toContainEqual({ type_key: 'listed_one', name: '甲' });
    expect(all.data).toContainEqual({ type_key: 'listed_two', name: '乙' });
  });

  test('refuse a key with capitals, digits, Chinese or one letter, and name the rule', async () => {
    for (const type_key of ['Kind', 'kind1', '种类', 'k', '_kind', 'a'.repeat(65)]) {
      const answer = await admin.in('en').post(`${types}/add`, { type_key, name: 'x', enabled: true });

      const message = expect.stringContaining('lowercase English letters');
      expect(outcome(answer)).toBe('422 request.invalid');
      expect(answer.errors).toEqual([{ path: 'body.type_key', message }]);
    }
  });

  test('require an explicit choice of enabled', async () => {
    const answer = await post(`${types}/add`, { type_key: 'undecided', name: 'x' });

    expect(answer).toMatchObject({ status: 422, errors: [{ path: 'body.enabled' }] });
  });

  test('are deleted only while they are empty', async () => {
    await addType('full');
    await addItem('full', 'one');

    const refused = await post(`${types}/delete`, { type_key: 'full' });
    await post(`${items}/delete`, { type_key: 'full', value: 'one' });
    const deleted = await post(`${types}/delete`, { type_key: 'full' });
    const gone = await get(`${types}/detail?type_key=full`);

    expect(refused).toMatchObject({ status: 409, code: 'dict.type_not_empty' });
    expect(deleted).toMatchObject({ status: 200, data: null });
    expect(gone).toMatchObject({ status: 404, code: 'dict.type_not_found' });
  });
});

describe('dictionary items', () => {
  test('refuse Chinese in a value', async () => {
    await addType('ascii');

    const answer = await post(`${items}/add`, { type_key: 'ascii', name: '红', value: '红' });

    expect(answer).toMatchObject({ status: 422, errors: [{ path: 'body.value' }] });
    expect(answer.errors[0]?.message).toContain('ASCII');
  });

  test('are listed by sort descending, then by value', async () => {
    await addType('sorted');
    for (const [value, sort] of Object.entries({ b: 1, a: 1, z: 9, m: -5 }))
      await addItem('sorted', value, { sort, status: value === 'm' ? 'disabled' : 'enabled' });

    const list = await get(`${items}/list?type_key=sorted`);
    const enabled = await get(`${items}/list?type_key=sorted&status=enabled&keyword=OF%20A`);

    const sorted = ['z', 'a', 'b', 'm'].map((value) => ({ value }));
    expect(list.data).toMatchObject({ list: sorted, total: 4 });
    expect(enabled.data).toMatchObject({ list: [{ value: 'a' }], total: 1 });
  });

  test('change their value in one step', async () => {
    await addType('renamed');
    await addItem('renamed', 'old', { remark: 'kept' });

    const change = { value: 'old', new_value: 'new', name: 'New', version: 1 };
    const answer = await post(`${items}/edit`, { type_key: 'renamed', ...change });

    expect(answer.data).toMatchObject({ value: 'new', name: 'New', remark: 'kept', version: 2 });
    const old = await get(`${items}/detail?type_key=renamed&value=old`);
    expect(outcome(old)).toBe('404 dict.item_not_found');
  });

  test('are imported, and an import that is repeated changes nothing', async () => {
    await addType('imported');
    await addItem('imported', 'stays');
    await addItem('imported', 'goes');
    const list = [
      { value: 'stays', name: 'renamed' },
      ...Array.from({ length: 250 }, (_, n) => ({ value: `v${n}`, name: `n${n}`, sort: n })),
    ];

    const run = (given: unknown[], mode: string) =>
      post(`${items}/import`, { type_key: 'imported', items: given, mode });
    const first = await run(list, 'replace');
    const second = await run(list, 'replace');
    const twice = await run([list[0], list[0]], 'merge');

    expect(first.data).toEqual({ added: 250, changed: 1, removed: 1 });
    expect(second.data).toEqual({ added: 0, changed: 0, removed: 0 });
    expect(twice).toMatchObject({ status: 422, errors: [{ path: 'body.items' }] });
    expect((await get(`${types}/detail?type_key=imported`)).data).toMatchObject({ item_count: 251 });
  });
});

describe('dictionary reads', () => {
  test('group enabled items for administrators; unknown and disabled types are empty', async () => {
    await addType('read_on');
    await addType('read_off', { enabled: false });
    for (const type of ['read_on', 'read_off']) await addItem(type, 'a', { name: 'A' });
    await addItem('read_on', 'b', { status: 'disabled' });

    const commas = await get(`${adminRead}?type=read_on,read_off,constructor`);
    const repeated = await get(`${adminRead}?type=read_on&type=read_off`);
    const map = await get(`${adminRead}?type=read_on&map=0`);
    const unknown = await get(`${adminRead}?type=unknown&map=0`);

    expect(commas.data).toEqual({ read_on: [{ name: 'A', value: 'a' }], read_off: [], constructor: [] });
    expect(repeated.data).toEqual({ read_on: [{ name: 'A', value: 'a' }], read_off: [] });
    expect(map.data).toEqual({ a: 'A' });
    expect(unknown.data).toEqual({});
  });

  test('show only public and enabled types to the public', async () => {
    await addType('open_on', { public: true });
    await addType('open_off', { public: true, enabled: false });
    await addType('hidden');
    for (const type of ['open_on', 'open_off', 'hidden']) await addItem(type, 'a');

    const grouped = await client.get(`${publicRead}?type=open_on,open_off,hidden,unknown`);
    const map = await client.get(`${publicRead}?type=hidden&map=0`);

    expect(grouped.data).toEqual({ open_on: [{ name: 'name of a', value: 'a' }] });
    expect(map.data).toEqual({});
  });

  test('refuse malformed keys, no keys, more than 50, and map=0 with several', async () => {
    const many = Array.from({ length: 51 }, (_, n) => `t${'x'.repeat(n + 1)}`).join();
    const queries = ['type=Bad', 'type=', '', 'type=a_b,,c_d', `type=${many}`, 'type=ab,cd&map=0'];
    for (const query of [...queries, 'type=ab&map=2']) {
      const answer = await client.get(`${publicRead}?${query}`);

      expect([query, outcome(answer)]).toEqual([query, '422 request.invalid']);
    }
  });

  test('answer 304 without a body to a client that has it, in the same locale only', async () => {
    await addType('tagged', { public: true });
    const path = `${publicRead}?type=tagged`;
    const etag = (await client.get(path)).headers.get('etag') ?? '';

    const same = await client.get(path, { headers: { 'if-none-match': `"other", ${etag}` } });
    const english = await client.get(path, { headers: { 'if-none-match': etag, 'x-language': 'en' } });
    await addItem('tagged', 'a');
    const changed = await client.get(path, { headers: { 'if-none-match': etag } });

    expect(etag).toMatch(/^W\/"/);
    expect(same).toMatchObject({ status: 304, text: '' });
    expect(same.headers.get('etag')).toBe(etag);
    expect(same.headers.get('cache-control')).toBe('public, no-cache');
    expect(same.headers.get('vary')).toContain('Accept-Language, X-Language, Origin');
    expect(english.status).toBe(200);
    expect(changed.status).toBe(200);
  });
});
