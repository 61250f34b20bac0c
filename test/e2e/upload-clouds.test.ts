import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { mimeTypes } from '#shared/config/upload.ts';
import { type Cloud, clouds } from '../doubles/clouds.ts';
import { validFiles } from '../fixtures/hostile/files.ts';
import type { Answer } from '../support/client.ts';
import { useRunning } from '../support/use-running.ts';
import { useServer } from '../support/use-server.ts';
import {
  createDirect,
  field,
  filePart,
  megabyte,
  openTable,
  pad,
  sendForm,
  useCallers,
} from './upload-fixture.ts';

const { png, mp4 } = validFiles;
const names = ['aliyun', 'qcloud', 'qiniu', 's3'] as const;

const used = useServer();
const { server, admin: root, saveSettings: save } = used;
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
