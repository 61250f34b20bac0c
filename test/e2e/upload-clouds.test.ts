import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { mimeTypes } from '#shared/config/upload.ts';
import { postDirectly as sendDirectly } from '../contract/storage/post-directly.ts';
import { type Cloud, clouds } from '../doubles/clouds.ts';
import { validFiles } from '../fixtures/hostile/files.ts';
import { activeSvgs } from '../fixtures/hostile/svgs.ts';
import { outcome } from '../support/answers.ts';
import type { Answer } from '../support/client.ts';
import { useRunning } from '../support/use-running.ts';
import { useServer } from '../support/use-server.ts';
import {
  createDirect,
  createForm,
  field,
  filePart,
  megabyte,
  openTable,
  pad,
  sendForm,
  useCallers,
} from './upload-fixture.ts';

const { png, mp4, zip } = validFiles;
const names = ['aliyun', 'qcloud', 'qiniu'] as const;

const used = useServer();
const { server, client, admin: root, saveSettings: save } = used;
const { admin } = useCallers(used);
const table = openTable(server);
const running = useRunning(
  () => Promise.all(names.map((name) => clouds[name]())),
  (all) => Promise.all(all.map(({ stop }) => stop())),
);

beforeAll(async () => {
  for (const { name, settings } of running) await save(name, settings);
});

function findCloud(name: string): Cloud {
  const found = running.find((cloud) => cloud.name === name);
  if (!found) throw new Error(`no cloud is named ${name}`);
  return found;
}

const choose = (engine: string) => save('storage', { default: engine });

const typeOf = (file: string) => Object.entries(mimeTypes).find(([ext]) => file.endsWith(`.${ext}`))?.[1];
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function fetchUrl(answer: Answer) {
  const response = await fetch(answer.data.url);
  const type = response.headers.get('content-type')?.split(';')[0];
  return { status: response.status, type, hash: hash(new Uint8Array(await response.arrayBuffer())) };
}

const sendFile = (type: string, name: string, bytes: Uint8Array): Promise<Answer> =>
  sendForm(admin, [field('type', type), filePart(name, bytes)]);

const remove = (ids: string[]) => root.post('/adminapi/system/file/delete', { ids });

describe.each(names)('uploads to %s', (name) => {
  let cloud: Cloud;
  beforeAll(async () => {
    cloud = findCloud(name);
    await choose(name);
  });

  test.each([
    ['form', 'file', 'a.txt', Buffer.from('a')],
    ['form', 'image', 'a.png', pad(png, 5 * megabyte)],
    ['direct', 'file', 'a.txt', Buffer.from('a')],
    ['direct', 'image', 'a.png', pad(png, 5 * megabyte)],
    ['direct', 'file', 'a.md', Buffer.alloc(20 * megabyte, 'a line\n')],
    ['direct', 'video', 'a.mp4', pad(mp4, 50 * megabyte)],
  ])('by %s: a %s, %s, of the smallest or largest size', async (way, type, file, bytes) => {
    const [before, holds] = [await table.traces(), cloud.keys().length];

    const send = way === 'form' ? sendFile : createDirect(admin).upload;
    const answer = await send(type, file, bytes);

    expect(answer).toMatchObject({ status: 200, data: { size: bytes.length, type } });
    expect(await fetchUrl(answer)).toEqual({ status: 200, type: typeOf(file), hash: hash(bytes) });
    const { objects, files, uploads } = before;
    // The ticket of a direct upload is still valid, so the clean-up checks it again.
    const left = way === 'form' ? uploads : uploads + 1;
    expect(await table.traces()).toEqual({ objects, files: files + 1, uploads: left });
    expect(cloud.keys()).toHaveLength(holds + 1);
  });

  test('answer one record even if completed several times', async () => {
    const direct = createDirect(admin);
    const ticket = await direct.start('image', 'a.png', png.length);
    const { status } = await sendDirectly(ticket, png);
    const before = await table.traces();

    const answers = await Promise.all(Array.from({ length: 10 }, () => direct.complete(ticket.ticket)));

    expect(status).toBeLessThan(300);
    expect(answers.map(outcome)).toEqual(Array(10).fill('200 ok'));
    expect(new Set(answers.map((answer) => answer.data.id)).size).toBe(1);
    expect((await table.traces()).files).toBe(before.files + 1);
  });

  test('accept neither a byte more than declared nor parts', async () => {
    const direct = createDirect(admin);
    const ticket = await direct.start('image', 'a.png', png.length);
    const holds = cloud.keys();

    const larger = await sendDirectly(ticket, Buffer.concat([png, Buffer.alloc(1)]));
    const form = createForm([field('ticket', ticket.ticket), field('offset', '0'), filePart('a', png)]);
    const path = `/api/system/upload/part?ticket=${ticket.ticket}`;
    const part = await client.post(path, form.body, { headers: form.headers });
    const asked = await client.get(path);
    const completed = await direct.complete(ticket.ticket);

    expect(larger.status).toBeGreaterThanOrEqual(400);
    expect([part, asked].map(outcome)).toEqual(Array(2).fill('409 upload.ticket_invalid'));
    expect(outcome(completed)).toBe('409 upload.incomplete');
    expect(cloud.keys()).toEqual(holds);
  });

  test.each([
    ['image', 'a.png', zip, 'content_mismatch'],
    ['image', 'a.svg', Buffer.from(activeSvgs[0]?.[1] ?? ''), 'active_content'],
    ['file', 'a.docx', zip, 'content_mismatch'],
  ])('of a %s %s with other content are refused and removed', async (type, file, bytes, code) => {
    const [before, holds] = [await table.traces(), cloud.keys()];
    const direct = createDirect(admin);

    const answer = await direct.upload(type, file, bytes);

    expect(outcome(answer)).toBe(`422 upload.${code}`);
    expect(cloud.keys()).toEqual(holds);
    expect((await table.traces()).files).toBe(before.files);
  });

  test('fail with a clear error while the cloud fails, and work afterwards', async () => {
    const direct = createDirect(admin);
    const ticket = await direct.start('image', 'a.png', png.length);
    await sendDirectly(ticket, png);
    const [before, holds] = [await table.traces(), cloud.keys()];

    cloud.disturb('fails', () => true);
    const answers = [await sendFile('image', 'a.png', png), await direct.complete(ticket.ticket)];
    cloud.calm();

    expect(answers.map(outcome)).toEqual(Array(2).fill('502 storage.unavailable'));
    // The clean-up removes the unfinished form upload.
    expect(await table.traces()).toEqual({ ...before, uploads: before.uploads + 1 });
    expect(cloud.keys()).toEqual(holds);
    expect((await direct.complete(ticket.ticket)).status).toBe(200);
  });

  test('stay readable and can be deleted after a change of the engine', async () => {
    const holds = cloud.keys();
    const answers = [
      await sendFile('image', 'a.png', png),
      await createDirect(admin).upload('file', 'a.docx', validFiles.docx),
    ];
    await choose(names[(names.indexOf(name) + 1) % names.length] ?? '');
    const read = await Promise.all(answers.map(fetchUrl));
    const elsewhere = await sendFile('image', 'a.png', png);
    const deleted = await remove(answers.map((answer) => answer.data.id));
    const gone = await Promise.all(answers.map(fetchUrl));

    expect(read.map(({ hash }) => hash)).toEqual([hash(png), hash(validFiles.docx)]);
    expect(deleted).toMatchObject({ status: 200, data: { deleted: 2, failed: [] } });
    expect(gone.map(({ status }) => status)).toEqual([404, 404]);
    expect(cloud.keys()).toEqual(holds);
    expect((await fetchUrl(elsewhere)).status).toBe(200);
  });
});

describe('an engine that is not set up', () => {
  test.each([
    ['aliyun without a bucket', 'aliyun', { bucket: '' }],
    ['qcloud without a region', 'qcloud', { region: '' }],
    ['qiniu without a secret', 'qiniu', { secret_key: '' }],
  ])('accepts no upload: %s', async (_title, engine, values) => {
    const { settings } = findCloud(engine);
    await choose(engine);
    await save(engine, { ...settings, ...values });
    const before = await table.traces();

    const answers = [
      await sendFile('image', 'a.png', png),
      await createDirect(admin).ask({ type: 'image', name: 'a.png', size: png.length }),
    ];

    expect(answers.map(outcome)).toEqual(Array(2).fill('500 storage.not_configured'));
    expect(answers.map(({ text }) => /secret|bucket|region/.test(text))).toEqual([false, false]);
    expect(await table.traces()).toEqual(before);
    await save(engine, settings);
  });

  test('is not confused with an unset engine', async () => {
    await choose('');

    expect(await sendFile('image', 'a.png', png)).toMatchObject({
      status: 200,
      data: { url: expect.stringContaining('/storage/uploads/') },
    });
  });
});
