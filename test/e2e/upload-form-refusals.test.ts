import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { uploadConfig, uploadTypes } from '#shared/config/upload.ts';
import { validFiles } from '../fixtures/hostile/files.ts';
import { activeSvgs } from '../fixtures/hostile/svgs.ts';
import { outcome, paths } from '../support/answers.ts';
import type { Answer } from '../support/client.ts';
import { useSharedServer } from '../support/use-server.ts';
import {
  createForm,
  type Form,
  type FormPart,
  field,
  filePart,
  openTable,
  sendForm,
  type Traces,
  useCallers,
} from './upload-fixture.ts';

const { png, zip } = validFiles;
const image = field('type', 'image');
const file = filePart('a.png', png);

let before: Traces;

const used = useSharedServer();
const { server, client } = used;
/** Guests may upload pictures only. */
const { admin, user } = useCallers(used);
const table = openTable(server);

beforeEach(async () => {
  before = await table.traces();
});

/** Sends a form to both APIs, which answer the same; a refused form must leave nothing behind. */
async function refusalOf(form: readonly FormPart[] | Form): Promise<Answer> {
  const answer = await sendForm(user, form);
  const adminAnswer = await sendForm(admin, form);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(outcome(adminAnswer)).toBe(outcome(answer));
  expect(await table.traces()).toEqual(before);
  return answer;
}

const unsupported = '415 request.unsupported_media_type';
const whole = createForm([image, file]);
const withType = (contentType: string): Form => ({ ...whole, headers: { 'content-type': contentType } });

describe('a form is refused and leaves nothing', () => {
  test.each<[string, FormPart[], string, string]>([
    ['an empty file', [image, filePart('a.png', '')], '422 upload.empty', ''],
    ['an unknown type', [field('type', 'audio'), file], '422 upload.type_unknown', ''],
    ['a type in capitals', [field('type', 'Image'), file], '422 upload.type_unknown', ''],
    ['a property for a type', [field('type', '__proto__'), file], '422 upload.type_unknown', ''],
    ['an empty type', [field('type', ''), file], '422 upload.type_unknown', ''],
    ['another type than its own', [field('type', 'video'), file], '422 upload.extension_not_allowed', ''],
    ['no type', [file], '422 request.invalid', 'body.type'],
    ['two types', [image, image, file], '422 request.invalid', 'body.type'],
    ['an endless type', [field('type', 'image'.repeat(100)), file], '422 upload.type_unknown', ''],
    ['no file', [image], '422 request.invalid', 'body.file'],
    ['a text for a file', [image, field('file', 'abc')], '422 request.invalid', 'body.file'],
    ['two files', [image, file, file], '422 request.invalid', 'body.file'],
    ['a file for a type', [filePart('a', 'image', 'type'), file], '422 request.invalid', 'body.type'],
  ])('that has %s', async (_title, form, code, path) => {
    const answer = await refusalOf(form);

    expect(outcome(answer)).toBe(code);
    if (path) expect(paths(answer)).toEqual([path]);
  });

  test.each<[string, () => Form, string]>([
    ['a body that is cut short', () => cut(whole), '400 request.malformed'],
    ['a body without an end', () => createForm([image, file], { end: '' }), '400 request.malformed'],
    ['an empty body', () => ({ ...whole, body: new Uint8Array() }), '400 request.malformed'],
    ['10,000 parts', () => createForm(Array(10_000).fill(field('type', 'image'))), '422 request.invalid'],
    ['10,000 fields', () => createForm(manyFields(10_000)), '400 request.malformed'],
    ['10,000 files', () => createForm(manyFiles(10_000)), '400 request.malformed'],
    ['a file name of 200,000 characters', () => longName(200_000), '422 upload.extension_not_allowed'],
    ['another boundary', () => withType('multipart/form-data; boundary=another'), '400 request.malformed'],
    ['another kind of parts', () => withType('multipart/mixed; boundary=x'), unsupported],
    ['a text', () => withType('text/plain'), unsupported],
    ['a web form', () => withType('application/x-www-form-urlencoded'), unsupported],
  ])('that is %s', async (_title, create, code) => {
    expect(outcome(await refusalOf(create()))).toBe(code);
  });

  // The local gateway itself refuses these; a unit test covers the function.
  test.each([
    ['no boundary', 'multipart/form-data'],
    ['an empty boundary', 'multipart/form-data; boundary='],
    ['a boundary that never ends', `multipart/form-data; boundary="${'x'.repeat(9000)}`],
    ['a boundary that no header has room for', `multipart/form-data; boundary=${'x'.repeat(70_000)}`],
  ])('that has %s', async (_title, contentType) => {
    const { body, headers } = withType(contentType);

    const response = await fetch(`${server.url}/api/system/upload/file`, { method: 'POST', headers, body });

    expect([400, 431]).toContain(response.status);
    expect(await table.traces()).toEqual(before);
  });

  test('that is JSON', async () => {
    const answer = await client.post('/api/system/upload/file', { type: 'image', file: 'abc' });

    expect(outcome(answer)).toBe(unsupported);
    expect(answer.message).toContain('multipart/form-data');
    expect(await table.traces()).toEqual(before);
  });
});

describe('a file is refused and leaves nothing', () => {
  test('whose content is of another extension', async () => {
    const codes = [];
    for (const type of uploadTypes) {
      for (const ext of uploadConfig[type].extensions) {
        // Only zip itself accepts a plain zip; Office files need more entries.
        const bytes = ext === 'zip' ? png : zip;
        const form = createForm([field('type', type), filePart(`a.${ext}`, bytes)]);
        codes.push([ext, outcome(await sendForm(user, form))]);
      }
    }

    expect(codes).toEqual(codes.map(([ext]) => [ext, '422 upload.content_mismatch']));
    expect(await table.traces()).toEqual(before);
  });

  test('and says so in the language of the request', async () => {
    const { body, headers } = createForm([image, filePart('a.svg', activeSvgs[0]?.[1] ?? '')]);
    const ask = (language: string) =>
      client.post('/api/system/upload/file', body, { headers: { ...headers, 'accept-language': language } });

    expect((await ask('en')).message).toBe('The file holds active content: <script>');
    expect((await ask('zh-CN')).message).toMatch(/^[\u4e00-\u9fff].*<script>/);
  });
});

test('a disk accepts no upload while its public link is missing', async () => {
  const link = join(server.dataDir, 'public', 'storage');
  renameSync(link, `${link}-gone`);
  const answer = await refusalOf([image, file]);
  const declared = { type: 'image', name: 'a.png', size: 1 };
  const direct = await user.client.post('direct', declared);
  renameSync(`${link}-gone`, link);

  expect([answer, direct].map(outcome)).toEqual(Array(2).fill('500 storage.not_configured'));
  expect(answer.text).not.toContain(server.dataDir);
  expect(await table.traces()).toEqual(before);
  expect((await sendForm(user, [image, file])).status).toBe(200);
});

describe('upload/validate', () => {
  const validate = (query: Record<string, string>) =>
    user.client.get(`validate?${new URLSearchParams(query)}`);

  test.each([
    ['image', 'a.PNG', '1', { ext: 'png', max_size: 5_242_880, mode: 'form' }],
    ['file', 'a.txt', '10000000', { ext: 'txt', max_size: 20_971_520, mode: 'form' }],
    ['file', 'a.txt', '10000001', { mode: 'direct', form_limit: 10_000_000 }],
    ['video', 'a.mp4', '52428800', { max_size: 52_428_800, mode: 'direct' }],
  ])('allows %s %s of %s bytes', async (type, name, size, data) => {
    const extensions = [...uploadConfig[type as 'image'].extensions];

    expect(await validate({ type, name, size })).toMatchObject({
      status: 200,
      data: { allowed: true, type, extensions, ...data },
    });
    expect(await table.traces()).toEqual(before);
  });

  test.each([
    ['audio', 'a.mp3', '1', '422 upload.type_unknown'],
    ['image', 'a.exe', '1', '422 upload.extension_not_allowed'],
    ['image', 'a.png', '0', '422 upload.empty'],
    ['image', 'a.png', '5242881', '413 upload.too_large'],
    ['video', 'a.mp4', '52428801', '413 upload.too_large'],
    ['image', 'a.png', '-1', '422 request.invalid'],
    ['image', 'a.png', '1e3', '422 request.invalid'],
  ])('refuses %s %s of %s bytes as the upload does', async (type, name, size, code) => {
    expect(outcome(await validate({ type, name, size }))).toBe(code);
  });
});

const cut = ({ body, headers }: Form): Form => ({ body: body.subarray(0, body.length - 30), headers });

const manyFields = (count: number) => Array.from({ length: count }, (_, index) => field(`f${index}`, 'x'));
const manyFiles = (count: number) =>
  Array.from({ length: count }, (_, index) => filePart('a.png', 'x', `f${index}`));
const longName = (length: number) => createForm([image, filePart(`${'x'.repeat(length)}.png`, png)]);
