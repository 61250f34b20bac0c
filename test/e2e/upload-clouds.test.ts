import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { mimeTypes } from '#shared/config/upload.ts';
import { validFiles } from '../fixtures/hostile/files.ts';
import type { Answer } from '../support/client.ts';
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
  useClouds,
} from './upload-fixture.ts';

const { png, mp4 } = validFiles;
const names = ['aliyun', 'qcloud', 'qiniu', 's3'] as const;

const used = useServer();
const { server, admin: root } = used;
const { admin } = useCallers(used);
const table = openTable(server);
const { find, use } = useClouds(used);

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
  const keys = () => find(name)?.keys() ?? [];
  beforeAll(() => use(name));

  test.each([
    ['form', 'file', 'a.txt', Buffer.from('a')],
    ['form', 'image', 'a.png', pad(png, 5 * megabyte)],
    ['direct', 'file', 'a.txt', Buffer.from('a')],
    ['direct', 'image', 'a.png', pad(png, 5 * megabyte)],
    ['direct', 'file', 'a.md', Buffer.alloc(20 * megabyte, 'a line\n')],
    ['direct', 'video', 'a.mp4', pad(mp4, 50 * megabyte)],
  ])('by %s: a %s, %s, of the smallest or largest size', async (way, type, file, bytes) => {
    const [before, holds] = [await table.traces(), keys().length];

    const send = way === 'form' ? sendFile : createDirect(admin).upload;
    const answer = await send(type, file, bytes);

    expect(answer).toMatchObject({ status: 200, data: { size: bytes.length, type } });
    expect(await fetchUrl(answer)).toEqual({ status: 200, type: typeOf(file), hash: hash(bytes) });
    const { objects, files, uploads } = before;
    // The ticket of a direct upload is still valid, so the clean-up checks it again.
    const left = way === 'form' ? uploads : uploads + 1;
    expect(await table.traces()).toEqual({ objects, files: files + 1, uploads: left });
    expect(keys()).toHaveLength(holds + 1);
  });

  test('stay readable and can be deleted after a change of the engine', async () => {
    const holds = keys();
    const answers = [
      await sendFile('image', 'a.png', png),
      await createDirect(admin).upload('file', 'a.docx', validFiles.docx),
    ];
    await use(names[(names.indexOf(name) + 1) % names.length] ?? '');
    const read = await Promise.all(answers.map(fetchUrl));
    const elsewhere = await sendFile('image', 'a.png', png);
    const deleted = await remove(answers.map((answer) => answer.data.id));
    const gone = await Promise.all(answers.map(fetchUrl));

    expect(read.map(({ hash }) => hash)).toEqual([hash(png), hash(validFiles.docx)]);
    expect(deleted).toMatchObject({ status: 200, data: { deleted: 2, failed: [] } });
    expect(gone.map(({ status }) => status)).toEqual([404, 404]);
    expect(keys()).toEqual(holds);
    expect((await fetchUrl(elsewhere)).status).toBe(200);
  });
});
