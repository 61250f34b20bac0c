import { beforeAll, describe, expect, test } from '@jest/globals';
import { validFiles } from '../fixtures/hostile/files.ts';
import type { Answer } from '../support/client.ts';
import { useServer } from '../support/use-server.ts';
import {
  createDirect,
  field,
  filePart,
  openTable,
  sendForm,
  useCallers,
  useClouds,
} from './upload-fixture.ts';

const { png } = validFiles;
const names = ['local', 'aliyun', 'qcloud', 'qiniu', 's3'] as const;

const used = useServer();
const { server, admin: root, client, saveSettings: save } = used;
const { admin, user } = useCallers(used);
const table = openTable(server);
const { find, use } = useClouds(used);

const isPrivate = field('visibility', 'private');
const sendFile = (caller = admin, ...more: ReturnType<typeof field>[]): Promise<Answer> =>
  sendForm(caller, [field('type', 'image'), ...more, filePart('identity card.png', png)]);
const sign = (id: string) => root.get(`/adminapi/system/file/url?id=${id}`);
const read = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, bytes, headers: response.headers };
};

describe.each(names)('private files of the engine %s', (name) => {
  beforeAll(() => use(name));

  test.each(['form', 'direct'])('are uploaded by %s, and read by a link only', async (way) => {
    const sent = await (way === 'form'
      ? sendFile(admin, isPrivate)
      : createDirect(admin).upload('image', 'identity card.png', png, { visibility: 'private' }));

    expect(sent).toMatchObject({ status: 200, data: { visibility: 'private', url: null, uri: null } });
    const signed = await sign(sent.data.id);
    const whole = await read(signed.data.url);
    expect([whole.status, whole.bytes.equals(png)]).toEqual([200, true]);
    expect(whole.headers.get('content-type')).toBe('image/png');
    expect((await read(signed.data.url, { range: 'bytes=1-3' })).bytes).toEqual(png.subarray(1, 4));
    const left = Date.parse(signed.data.expires_at) - Date.now();
    expect(left).toBeGreaterThan(14 * 60_000);
    expect(left).toBeLessThanOrEqual(15 * 60_000);
    expect((await read(signed.data.url.split('?')[0])).status).toBeGreaterThanOrEqual(400);
  });

  test('have no address in lists and details, which never name their place', async () => {
    const { id } = (await sendFile(admin, isPrivate)).data;
    const [detail, list] = [
      await root.get(`/adminapi/system/file/detail?id=${id}`),
      await root.get('/adminapi/system/file/list?limit=100'),
    ];

    expect(detail.data).toMatchObject({ id, visibility: 'private', url: null, uri: null });
    const listed = list.data.list.filter((file: { visibility: string }) => file.visibility === 'private');
    expect(listed.length).toBeGreaterThan(0);
    for (const { url, uri } of listed) expect([url, uri]).toEqual([null, null]);
    expect(JSON.stringify([detail.data, list.data])).not.toContain('private/');
  });

  test('go with their record', async () => {
    const { id } = (await sendFile(admin, isPrivate)).data;
    const { url } = (await sign(id)).data;

    const { data } = await root.post('/adminapi/system/file/delete', { ids: [id] });

    expect(data).toMatchObject({ deleted: 1 });
    expect((await read(url)).status).toBeGreaterThanOrEqual(400);
    expect(await sign(id)).toMatchObject({ status: 404, code: 'file.not_found' });
  });

  test('are not taken for public ones: those keep their address, which does not expire', async () => {
    const sent = await sendFile();
    const url = expect.stringContaining('/uploads/image/');
    expect(sent.data).toMatchObject({ visibility: 'public', url });
    expect((await sign(sent.data.id)).data).toEqual({ url: sent.data.url, expires_at: null });
    expect((await read(sent.data.url)).status).toBe(200);
  });
});

test.each(names.filter((name) => name !== 'local'))(
  'without a bucket for them, %s takes no private files, and stores none',
  async (name) => {
    const cloud = find(name);
    const cleared = Object.fromEntries(Object.keys(cloud?.privateSettings ?? {}).map((each) => [each, '']));
    await save(name, { ...cloud?.settings, ...cleared });
    await save('storage', { default: name });
    const before = [cloud?.keys(), await table.traces()];
    const refused = { status: 500, code: 'storage.not_configured' };

    expect(await sendFile(admin, isPrivate)).toMatchObject(refused);
    const query = 'type=image&name=a.png&visibility';
    expect(await client.get(`/api/system/upload/validate?${query}=private`)).toMatchObject(refused);
    expect(await client.get(`/api/system/upload/validate?${query}=public`)).toMatchObject({ status: 200 });
    expect([cloud?.keys(), await table.traces()]).toEqual(before);
    expect((await sendFile()).status).toBe(200);
  },
);

describe('of a local installation', () => {
  let file: Answer['data'];
  let url: URL;
  beforeAll(async () => {
    await save('storage', { default: 'local' });
    file = (await sendFile(user, isPrivate)).data;
    url = new URL((await sign(file.id)).data.url);
  });

  const change = (name: string, value: string) => {
    const changed = new URL(url);
    changed.searchParams.set(name, value);
    return changed.href;
  };

  test('a user stores private files too', () => {
    expect(file).toMatchObject({ visibility: 'private', url: null, uploader: { kind: 'user' } });
  });

  test.each([
    ['a later end', () => change('expires', String(Number(url.searchParams.get('expires')) + 60))],
    ['an end in the past', () => change('expires', '1')],
    ['no number as its end', () => change('expires', 'Infinity')],
    ['another name', () => change('name', 'b.png')],
    ['another signature', () => change('signature', `${url.searchParams.get('signature')}A`)],
    ['an empty signature', () => change('signature', '')],
    ['no signature', () => `${url.origin}${url.pathname}`],
  ])('a link with %s is refused, also for a range', async (_, toUrl) => {
    for (const headers of [{}, { range: 'bytes=0-0' }, { 'if-none-match': '*' }]) {
      const answer = await read(toUrl(), headers as Record<string, string>);
      expect([answer.status, answer.bytes.includes('storage.link_invalid')]).toEqual([403, true]);
    }
  });

  test('a link opens no other file, and says nothing about which files there are', async () => {
    const other = (await sign((await sendFile(admin, isPrivate)).data.id)).data.url;
    const moved = new URL(url);
    moved.pathname = new URL(other).pathname;
    expect((await read(moved.href)).status).toBe(403);
    moved.pathname = moved.pathname.replace(/[0-9a-f]{24}\./, `${'0'.repeat(24)}.`);
    expect((await read(moved.href)).status).toBe(403);
  });

  test('no spelling of the path leads to a private file without a link', async () => {
    const path = url.pathname.replace('/storage/', '');
    const spellings = [
      ...['', '/', 'uploads/../', 'uploads/%2e%2e/', '../', 'public/../'].map((start) => start + path),
      ...['Private/', '%70rivate/', 'uploads/'].map((folder) => path.replace('private/', folder)),
    ];
    for (const spelling of spellings) {
      const answer = await fetch(`${url.origin}/storage/${spelling}`, { redirect: 'manual' });
      expect([spelling, answer.status >= 400]).toEqual([spelling, true]);
    }
  });

  test('its answer is kept by no cache, and runs nothing', async () => {
    const { headers } = await read(url.href);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'private, no-store',
      'content-disposition': 'inline; filename="identity card.png"',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
  });

  test('the audit log names who got a link, and holds no link', async () => {
    await sign(file.id);
    const { data } = await root.get(`/adminapi/system/audit/list?action=system/file/url&limit=5`);
    expect(data.list[0]).toMatchObject({ action: 'system/file/url', outcome: 'ok' });
    const entry = await root.get(`/adminapi/system/audit/detail?id=${data.list[0].id}`);
    expect(JSON.stringify(entry.data)).toContain(file.id);
    expect(JSON.stringify([data, entry.data])).not.toContain('signature');
  });

  test('who may only read lists gets no link', async () => {
    expect(await client.get(`/adminapi/system/file/url?id=${file.id}`)).toMatchObject({ status: 401 });
  });

  test('neither a cover nor a text shows a private file', async () => {
    const article = { title: 'A title', content: `<p><img src="${url.href}"></p>`, category: 'news' };

    const refused = await root.post('/adminapi/article/article/add', { ...article, cover: url.href });
    const { data } = await root.post('/adminapi/article/article/add', article);

    expect(refused).toMatchObject({ status: 422, errors: [{ path: 'body.cover' }] });
    // No public answer completes its address.
    expect(data.content).toContain('<img');
    expect(data.content).not.toContain(`${url.origin}/storage/private`);
  });

  test.each(['secret', '', 'PRIVATE'])('the visibility "%s" is refused', async (value) => {
    const answer = await sendFile(admin, field('visibility', value));
    expect(answer).toMatchObject({ status: 422, errors: [{ path: 'body.visibility' }] });
  });
});
