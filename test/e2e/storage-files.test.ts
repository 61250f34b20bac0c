import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { mimeTypes, type UploadExtension } from '#shared/config/upload.ts';
import { validFiles } from '../fixtures/hostile/files.ts';
import { useServer } from '../support/use-server.ts';

const partSize = 4_194_304;
const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251));
const large = Buffer.alloc(9_000_001, 'a line of text\n');
const secret = 'this is a secret';

/** A path as the service creates it. */
const pathOf = (ext: string, type = 'file', name = '103045000102030405060708090a0b') =>
  `uploads/${type}/20240229/${name}.${ext}`;
const small = pathOf('pdf');

let objects: string;

const { server } = useServer({ login: false });

beforeAll(async () => {
  objects = join(server.dataDir, 'storage', 'public');
  place(small, bytes);
  place(pathOf('txt'), large);
  writeFileSync(join(server.dataDir, 'secret.txt'), secret);
});

function place(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(objects, path)), { recursive: true });
  writeFileSync(join(objects, path), content);
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  code: string;
}

/** Asks for exactly this path; `fetch` would normalise it. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const { port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers }, async (incoming) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk);
      const body = Buffer.concat(chunks);
      const [, code = ''] = /"code":"([\w.]+)"/.exec(body.subarray(0, 500).toString()) ?? [];
      resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body, code });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

const range = (path: string, value: string, rest: Record<string, string> = {}) =>
  ask(`/storage/${path}`, { range: value, ...rest });

describe('a local file', () => {
  test('is served whole, with the headers that make it safe', async () => {
    const { status, headers, body } = await ask(`/storage/${small}`);

    expect(status).toBe(200);
    expect(Buffer.compare(body, bytes)).toBe(0);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': '1000',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=31536000, immutable',
      etag: expect.stringMatching(/^"[\w-]+"$/),
      'last-modified': expect.stringMatching(/GMT$/),
      'x-request-id': expect.any(String),
    });
    expect(headers).not.toHaveProperty('content-language');
    expect(headers).not.toHaveProperty('content-encoding');
  });

  test('has the same headers for HEAD as for GET, without a body', async () => {
    const got = await ask(`/storage/${small}`);
    const answer = await ask(`/storage/${small}`, {}, 'HEAD');

    expect(answer.status).toBe(200);
    expect(answer.body).toHaveLength(0);
    const { date: _date, 'x-request-id': _id, connection: _connection, ...headers } = got.headers;
    expect(answer.headers).toMatchObject(headers);
    expect((await ask('/storage/uploads/none.pdf', {}, 'HEAD')).status).toBe(404);
  });

  test('has the type of its extension, an SVG too', async () => {
    for (const [ext, content] of Object.entries(validFiles)) {
      const other = /^(mp4|mov|avi|wmv|mkv|webm)$/.test(ext) ? 'video' : 'file';
      const type = /^(jpe?g|png|gif|bmp|webp|svg)$/.test(ext) ? 'image' : other;
      const path = pathOf(ext, type, '103046000102030405060708090a0b');
      place(path, content);
      const { headers, body } = await ask(`/storage/${path}`);

      // The local gateway adds a charset to text types.
      expect(headers['content-type']?.split(';')[0]).toBe(mimeTypes[ext as UploadExtension]);
      expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox");
      expect(Buffer.compare(body, content)).toBe(0);
    }
  });

  test('that is large is served whole here', async () => {
    const { status, body } = await ask(`/storage/${pathOf('txt')}`);

    expect([status, body.length]).toEqual([200, large.length]);
    expect(Buffer.compare(body, large)).toBe(0);
  });

  test('is not sent again to a client that has it', async () => {
    const { headers } = await ask(`/storage/${small}`);
    const etag = headers.etag ?? '';
    const answers = [];
    for (const tags of [etag, `W/${etag}`, `"a", ${etag}`, '*']) {
      answers.push(await ask(`/storage/${small}`, { 'if-none-match': tags }));
    }
    const other = await ask(`/storage/${small}`, { 'if-none-match': '"a"' });

    for (const { status, headers: sent, body } of answers) {
      expect([status, body.length]).toEqual([304, 0]);
      expect(sent).toMatchObject({ etag, 'cache-control': headers['cache-control'] });
    }
    expect(other.status).toBe(200);
  });
});

describe('a range of a local file', () => {
  test.each([
    ['the first byte', 'bytes=0-0', 0, 1],
    ['the last byte', 'bytes=999-999', 999, 1000],
    ['a suffix', 'bytes=-10', 990, 1000],
    ['a suffix longer than the file', 'bytes=-2000', 0, 1000],
    ['an open end', 'bytes=500-', 500, 1000],
    ['an end behind the file', 'bytes=900-5000', 900, 1000],
    ['everything', 'bytes=0-', 0, 1000],
  ])('is %s', async (_title, header, start, end) => {
    const { status, headers, body } = await range(small, header);

    expect(status).toBe(206);
    expect(headers['content-range']).toBe(`bytes ${start}-${end - 1}/1000`);
    expect(headers['content-length']).toBe(String(end - start));
    expect(headers['content-type']).toBe('application/pdf');
    expect(Buffer.compare(body, bytes.subarray(start, end))).toBe(0);
  });

  test.each(['bytes=1000-', 'bytes=5000-6000', 'bytes=-0'])('is refused from the end: %s', async (header) => {
    const { status, headers, code } = await range(small, header);

    expect([status, code]).toEqual([416, 'range.invalid']);
    expect(headers['content-range']).toBe('bytes */1000');
  });

  test('is served only if the file is the same', async () => {
    const { headers } = await ask(`/storage/${small}`);
    const etag = headers.etag ?? '';
    const statuses = [];
    for (const condition of [etag, '"another"', `W/${etag}`, headers['last-modified'] ?? '']) {
      statuses.push((await range(small, 'bytes=0-1', { 'if-range': condition })).status);
    }

    expect(statuses).toEqual([206, 200, 200, 200]);
  });

  test('is at most 4 MiB of a large file, and ranges cover the whole file', async () => {
    const path = pathOf('txt');
    const pieces: Buffer[] = [];
    const lengths = [];
    for (let start = 0; start < large.length; start += pieces.at(-1)?.length ?? 0) {
      const { status, headers, body } = await range(path, `bytes=${start}-`);
      expect(status).toBe(206);
      expect(headers['content-range']).toBe(`bytes ${start}-${start + body.length - 1}/${large.length}`);
      pieces.push(body);
      lengths.push(body.length);
    }

    expect(lengths).toEqual([partSize, partSize, large.length - 2 * partSize]);
    expect(Buffer.compare(Buffer.concat(pieces), large)).toBe(0);
    const suffix = await range(path, `bytes=-${large.length}`);
    expect(suffix.headers['content-range']).toBe(`bytes 0-${partSize - 1}/${large.length}`);
  });
});

describe('not found:', () => {
  const out = pathOf('txt', 'file', '103047000102030405060708090a0b');
  const folder = pathOf('txt', 'file', '103048000102030405060708090a0b');
  const page = pathOf('html', 'file', '103049000102030405060708090a0b');
  const loop = pathOf('md', 'file', '103052000102030405060708090a0b');
  const misplaced = pathOf('png', 'file', '103050000102030405060708090a0b');

  beforeAll(() => {
    symlinkSync(join(server.dataDir, 'secret.txt'), join(objects, out));
    symlinkSync(join(objects, loop), join(objects, loop));
    mkdirSync(join(objects, folder));
    place(page, secret);
    place(misplaced, secret);
    place('uploads/secret.txt', secret);
    place('.htaccess', secret);
    symlinkSync(server.dataDir, join(objects, 'uploads', 'out'));
  });

  const up = '../'.repeat(6);
  test.each([
    ['a folder of files', '/storage/uploads/file/20240229'],
    ['a folder named as a file', `/storage/${folder}`],
    ['another path', `/storage/${pathOf('pdf', 'file', '103051000102030405060708090a0b')}`],
    ['a path that the service did not make', '/storage/uploads/secret.txt'],
    ['a hidden file', '/storage/.htaccess'],
    ['another extension', `/storage/${page}`],
    ['an extension of another type', `/storage/${misplaced}`],
    ['capitals', `/storage/${small.toUpperCase()}`],
    ['two slashes', `/storage//${small}`],
    ['a link that leads out', `/storage/${out}`],
    ['a link to itself', `/storage/${loop}`],
    ['a folder that leads out', '/storage/uploads/out/secret.txt'],
    ['dots', `/storage/${up}secret.txt`],
    ['dots behind a path', `/storage/uploads/file/20240229/${up}secret.txt`],
    ['encoded dots', `/storage/${'%2e%2e/'.repeat(6)}secret.txt`],
    ['dots, encoded twice', `/storage/${'%252e%252e/'.repeat(6)}secret.txt`],
    ['encoded slashes', '/storage/..%2f..%2fsecret.txt'],
    ['encoded slashes of a good path', `/storage/${small.replaceAll('/', '%2F')}x`],
    ['backslashes', '/storage/..\\..\\secret.txt'],
    ['encoded backslashes', '/storage/..%5c..%5csecret.txt'],
    ['NUL', `/storage/${small}%00.txt`],
    ['NUL at the end', `/storage/${small}%00`],
    ['a line break', `/storage/${small}%0a`],
    ['a full path', `/storage//${'%2f'}etc/passwd`],
    ['bytes that are no text', '/storage/%ff%fe.txt'],
    ['an endless path', `/storage/${'uploads/'.repeat(1000)}a.txt`],
    ['a property', '/storage/__proto__'],
  ])('%s', async (_title, path) => {
    const { status, body } = await ask(path);

    // The gateway itself refuses paths that it cannot decode.
    expect([400, 404]).toContain(status);
    expect(body.toString()).not.toContain(secret);
    expect(body.toString()).not.toContain(server.dataDir);
  });

  test('the folder itself is no route, with a slash or without', async () => {
    const answers = await Promise.all(['/storage', '/storage/'].map((path) => ask(path)));

    expect(answers.map(({ status, code }) => `${status} ${code}`)).toEqual(
      Array(2).fill('404 route.not_found'),
    );
  });

  test('a query string does not matter', async () => {
    expect((await ask(`/storage/${small}?path=../secret.txt&x=%00`)).status).toBe(200);
  });

  test('every file while the public link is missing', async () => {
    const link = join(server.dataDir, 'public', 'storage');
    renameSync(link, `${link}-gone`);
    const gone = await ask(`/storage/${small}`);
    renameSync(`${link}-gone`, link);
    const back = await ask(`/storage/${small}`);

    expect([gone.status, gone.code]).toEqual([404, 'storage.file_not_found']);
    expect(back.status).toBe(200);
  });
});

test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('a file does not accept %s', async (method) => {
  const { status, headers, code } = await ask(`/storage/${small}`, {}, method);

  expect([status, code, headers.allow]).toEqual([405, 'route.method_not_allowed', 'GET, HEAD']);
});
