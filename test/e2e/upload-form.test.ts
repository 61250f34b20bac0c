import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { mimeTypes, uploadConfig, uploadTypes } from '#shared/config/upload.ts';
import { hasVariants } from '#shared/storage/naming/variant-path.ts';
import { validFiles } from '../fixtures/hostile/files.ts';
import { outcome, paths } from '../support/answers.ts';
import { useServer } from '../support/use-server.ts';
import {
  createForm,
  type FormPart,
  field,
  filePart,
  megabyte,
  openTable,
  pad,
  sendForm,
  useCallers,
} from './upload-fixture.ts';

const kinds = uploadTypes.flatMap((type) => uploadConfig[type].extensions.map((ext) => ({ type, ext })));
const { png } = validFiles;

const used = useServer();
const { server, client, admin: root, saveSettings } = used;
const { admin, user, guest } = useCallers(used);
const table = openTable(server);
const save = (values: object) => saveSettings('upload', values);

const image = (bytes: Uint8Array) => [field('type', 'image'), filePart('a.png', bytes)] as const;
const text = (length: number) => [field('type', 'file'), filePart('a.txt', Buffer.alloc(length, 'a'))];

describe('a form upload', () => {
  test.each(kinds)('takes $ext as $type on both APIs, and hands it back as it was', async ({ type, ext }) => {
    const bytes = validFiles[ext];
    for (const caller of [admin, user]) {
      const answer = await sendForm(caller, [field('type', type), filePart(`图片 a.${ext}`, bytes)]);

      const { url } = answer.data;
      const path = new RegExp(`/storage/uploads/${type}/\\d{8}/\\d{6}[0-9a-f]{20,}\\.${ext}$`);
      expect(answer.data).toEqual({
        id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
        cid: null,
        visibility: 'public',
        type,
        name: `图片 a.${ext}`,
        uri: url,
        url: expect.stringMatching(path),
        variants: hasVariants(ext) ? expect.objectContaining({ thumb: expect.any(String) }) : null,
        ext,
        mime: mimeTypes[ext],
        size: bytes.length,
        module: '',
        tag: '',
        uploader: { kind: caller.kind, id: caller.id },
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      });
      expect(new URL(url).origin).toBe(`http://localhost:${new URL(server.url).port}`);
      const served = await fetch(server.url + new URL(url).pathname);
      expect(Buffer.compare(Buffer.from(await served.arrayBuffer()), bytes)).toBe(0);
      const kept = readFileSync(join(server.dataDir, 'storage/public', new URL(url).pathname.slice(9)));
      expect(Buffer.compare(kept, bytes)).toBe(0);
    }
  });

  test('leaves a record and an object, and nothing for the clean-up', async () => {
    const before = await table.traces();

    const { id, url } = (await sendForm(guest, image(png))).data;

    const { objects, files, uploads } = before;
    expect(await table.traces()).toEqual({ objects: objects + 1, files: files + 1, uploads });
    const item = (await table.list('FILE')).find((found) => found.id === id);
    const key = new URL(url).pathname.replace('/storage/', '');
    expect(item).toMatchObject({ engine: 'local', key, uri: `storage/${key}`, gsi3pk: 'FILE_TYPE#image' });
  });

  test('accepts `type` and other fields after the file', async () => {
    const parts = [filePart('a.png', png), field('tag', 't'), field('module', 'm-1_a'), image(png)[0]];

    expect(await sendForm(user, parts)).toMatchObject({ status: 200, data: { module: 'm-1_a', tag: 't' } });
  });

  test.each<[string, FormPart[]]>([
    ['fields of upload widgets', [field('Filename', 'a.png'), field('Upload', 'Submit Query')]],
    ['fields of a mini-program', [field('user', 'test'), field('user', 'again')]],
    ['a long field', [field('note', 'x'.repeat(20_000))]],
    ['another file', [filePart('b.exe', 'MZ', 'second')]],
    ['properties of objects', [field('__proto__', 'x'), field('constructor', 'x')]],
  ])('ignores %s', async (_name, extra) => {
    const answer = await sendForm(user, [...extra, ...image(png), ...extra]);

    expect(answer).toMatchObject({ status: 200, data: { size: png.length } });
    expect(answer.data).not.toHaveProperty('note');
  });

  test.each([
    ['a small file', png],
    ['a large one', Buffer.alloc(20_000, 'a')],
  ])('names the missing fields of %s without a name', async (_name, bytes) => {
    const header = 'Content-Disposition: form-data; name="file"\r\nContent-Type: image/png';
    const answer = await sendForm(user, [field('type', 'image'), { header, body: bytes }]);

    expect(answer).toMatchObject({ status: 422, errors: [{ path: 'body.file' }] });
    expect(answer.errors[0]?.message).toMatch(/filename/);
  });

  test("takes a boundary that other parsers don't", async () => {
    const { body, headers } = createForm(image(png), { boundary: "a_b'c=d e" });
    const answer = await client.post('/api/system/upload/file', body, { headers });

    expect(answer).toMatchObject({ status: 200, data: { size: png.length } });
  });

  test('accepts a text of one byte', async () => {
    expect(await sendForm(user, text(1))).toMatchObject({ status: 200, data: { size: 1, ext: 'txt' } });
  });

  test('is for pictures only without a login, and a check before it says the same', async () => {
    const answer = await sendForm(guest, text(1));
    const check = (query: string, token?: string) =>
      client.get(`/api/system/upload/validate?${query}`, { token });

    expect(outcome(answer)).toBe('403 upload.guest_denied');
    expect(answer.message).toBe('游客不能上传此文件，请先登录');
    expect(outcome(await check('type=file&name=a.txt'))).toBe('403 upload.guest_denied');
    expect(outcome(await check('type=file&name=a.txt', 'v1.a.b.c'))).toBe('403 upload.guest_denied');
    expect(outcome(await check('type=file&name=a.txt', user.client.token))).toBe('200 ok');
    expect(outcome(await check('type=image&name=a.png&size=9'))).toBe('200 ok');
  });

  test('decides by the route who is an administrator, and treats an invalid login as a guest', async () => {
    const asUser = await sendForm({ ...guest, client: guest.client.as(root.token) }, image(png));
    const asNobody = await sendForm({ ...guest, client: guest.client.as('v1.a.b.c') }, image(png));
    const refused = await sendForm({ ...admin, client: admin.client.as(user.client.token) }, image(png));
    const missing = await sendForm({ ...admin, client: admin.client.as('') }, image(png));

    for (const answer of [asUser, asNobody]) {
      expect(answer).toMatchObject({ status: 200, data: { uploader: { kind: 'guest', id: null } } });
    }
    expect(outcome(refused)).toBe('401 auth.principal_mismatch');
    expect(outcome(missing)).toBe('401 auth.token_missing');
  });
});

describe('limits of a form upload', () => {
  test('allow an image of exactly 5 MB and no larger one', async () => {
    const limit = 5 * megabyte;

    const largest = await sendForm(user, image(pad(png, limit)));
    const before = await table.traces();
    const larger = await sendForm(user, image(pad(png, limit + 1)));

    expect(largest).toMatchObject({ status: 200, data: { size: limit } });
    const served = await fetch(server.url + new URL(largest.data.url).pathname);
    expect((await served.arrayBuffer()).byteLength).toBe(limit);
    expect(outcome(larger)).toBe('413 upload.too_large');
    expect(larger.message).toContain('5');
    expect(await table.traces()).toEqual(before);
  });

  test('are those of a form if the type allows more, and the refusal names upload/direct', async () => {
    const largest = await sendForm(admin, text(10_000_000));
    const before = await table.traces();
    const larger = await sendForm(admin, text(10_000_001));

    expect(largest).toMatchObject({ status: 200, data: { size: 10_000_000 } });
    expect(outcome(larger)).toBe('413 request.too_large');
    expect(larger.message).toContain('upload/direct');
    expect(larger.message).toContain('10 MB');
    expect(await table.traces()).toEqual(before);
  });

  test("are the type's before the form's", async () => {
    expect(outcome(await sendForm(admin, image(pad(png, 10_000_001))))).toBe('413 upload.too_large');
  });

  test('end at the limit of the gateway', async () => {
    const before = await table.traces();
    const { body, headers } = createForm(text(11 * megabyte));

    const response = await fetch(`${server.url}/api/system/upload/file`, { method: 'POST', headers, body });

    expect(response.status).toBe(413);
    expect(await table.traces()).toEqual(before);
  });

  test.each([
    ['image', (length: number) => image(pad(png, length))],
    ['video', (length: number) => [field('type', 'video'), filePart('a.mp4', pad(validFiles.mp4, length))]],
    ['file', text],
  ])('of %s follow the operator’s setting at once', async (type, create) => {
    const upload = async (length: number) => outcome(await sendForm(user, create(length)));

    await save({ [`${type}_max_size`]: 1000 });
    const limited = [];
    for (const size of [999, 1000, 1001]) limited.push(await upload(size));
    const others = await sendForm(user, type === 'image' ? text(2000) : image(pad(png, 2000)));
    await save({ [`${type}_max_size`]: '' });
    const unlimited = await upload(1001);

    expect(limited).toEqual(['200 ok', '200 ok', '413 upload.too_large']);
    expect(others.status).toBe(200);
    expect(unlimited).toBe('200 ok');
  });

  test("may be raised by the operator, up to the form's", async () => {
    await save({ image_max_size: 9 * megabyte });
    const raised = await sendForm(user, image(pad(png, 9 * megabyte)));
    const above = await sendForm(user, image(pad(png, 9 * megabyte + 1)));
    await save({ image_max_size: '' });

    expect([raised, above].map(outcome)).toEqual(['200 ok', '413 upload.too_large']);
  });
});

describe('what guests upload', () => {
  const check = (type = 'image', name = 'a.png') =>
    client.get(`/api/system/upload/validate?type=${type}&name=${name}&size=${png.length}`);

  test('is limited by the bytes of a day, of an address and of the site', async () => {
    for (const key of ['guest_daily_size', 'guest_site_daily_size']) {
      await save({ [key]: png.length });
      // Tests before may have used some.
      await sendForm(guest, image(png));
      const before = await table.traces();
      const refused = [await sendForm(guest, image(png)), await check()];
      const others = [await sendForm(user, image(png)), await sendForm(admin, image(png))];
      await save({ [key]: '' });

      expect(refused.map(outcome)).toEqual(Array(2).fill('429 upload.quota_exceeded'));
      expect(refused[0]?.message).toBe('游客今天的上传量已达上限，请登录或明天再试');
      for (const { headers } of refused) {
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
        expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
      }
      expect(others.map(outcome)).toEqual(Array(2).fill('200 ok'));
      expect(await table.traces()).toMatchObject({ files: before.files + 2, objects: before.objects + 2 });
    }
    expect([await sendForm(guest, image(png)), await check()].map(outcome)).toEqual(Array(2).fill('200 ok'));
  });

  test('is what the operator allows', async () => {
    const outcomes: Record<string, string[]> = {};
    for (const guests of ['off', 'all', 'image']) {
      await save({ guests });
      const answers = [
        await sendForm(guest, image(png)),
        await sendForm(guest, text(1)),
        await check(),
        await sendForm(user, text(1)),
      ];
      outcomes[guests] = answers.map(outcome);
    }

    const [ok, denied] = ['200 ok', '403 upload.guest_denied'];
    expect(outcomes.off).toEqual([denied, denied, denied, ok]);
    expect(outcomes.all).toEqual([ok, ok, ok, ok]);
    expect(outcomes.image).toEqual([ok, denied, ok, ok]);
  });
});

describe('the place of an uploaded file', () => {
  const at = (...fields: FormPart[]) => sendForm(admin, [...image(png), ...fields]);

  const addCategory = async (type: string): Promise<string> =>
    (await root.post('/adminapi/system/file/category/add', { name: `For ${type}`, type })).data.id;

  test.each(['', '0'])('has no category for cid %j', async (cid) => {
    expect(await at(field('cid', cid))).toMatchObject({ status: 200, data: { cid: null } });
  });

  test('is a category of its type, by users and guests too', async () => {
    const cid = await addCategory('image');

    for (const caller of [admin, user, guest]) {
      const answer = await sendForm(caller, [...image(png), field('cid', cid)]);
      expect(answer).toMatchObject({ status: 200, data: { cid } });
    }
    const [item] = (await table.list('FILE')).filter((found) => found.cid === cid);
    expect(item).toMatchObject({ gsi2pk: `FILE_CATEGORY#${cid}` });
  });

  test('must not be an unknown category or one of another type', async () => {
    const before = await table.traces();
    const ofFilms = await addCategory('video');
    for (const cid of ['01ARZ3NDEKTSV4RRFFQ69G5FAV', ofFilms, '00', '1', 'null', '#total']) {
      const answer = await at(field('cid', cid));
      expect([outcome(answer), paths(answer)]).toEqual(['422 request.invalid', ['body.cid']]);
    }
    expect(await table.traces()).toEqual(before);
  });

  test.each(['module', 'tag'])('restricts the characters of %s', async (name) => {
    const before = await table.traces();
    const good = ['', 'a', 'shop-2_b', 'x'.repeat(32)];
    for (const value of ['A', 'ä', 'a b', 'a.b', 'a/b', 'x'.repeat(33), 'a\n', '../a']) {
      const answer = await at(field(name, value));
      expect([outcome(answer), paths(answer)]).toEqual(['422 request.invalid', [`body.${name}`]]);
    }
    expect(await table.traces()).toEqual(before);
    for (const value of good) expect(await at(field(name, value))).toMatchObject({ data: { [name]: value } });
  });
});
