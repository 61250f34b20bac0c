import '../../../support/environment.ts';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { StorageEngine } from '#shared/storage/engine.ts';
import { createEngine as createQcloudEngine } from '#shared/storage/engines/qcloud/engine.ts';
import type { QcloudSettings } from '#shared/storage/engines/qcloud/settings.ts';
import { serveRaw } from '../../../doubles/serve.ts';
import {
  type CosMisbehaviour,
  startTencentCos,
  type TencentCosDouble,
} from '../../../doubles/tencent-cos.ts';
import { stopTime } from '../../../support/fake-time.ts';

const account = { bucket: 'examplebucket-1250000000', region: 'ap-guangzhou' };
const keys = { access_key: 'AKIDexample', secret_key: 'a-secret-key' };
const key = 'uploads/image/20250131/235959a1b2.png';
const stored = { bytes: Buffer.from('hello'), headers: { 'content-type': 'image/png' } };
const unavailable = { code: 'storage.unavailable' };
const at = (url: string): QcloudSettings => ({ ...account, ...keys, endpoint: url, domain: url });

/** The operation, the objects that it needs, and the request that fails. */
const operations = [
  ['put', (engine: StorageEngine) => engine.put(key, new Uint8Array(5), 'image/png'), [], `PUT /${key}`],
  ['stat', (engine: StorageEngine) => engine.stat(key), [key], `HEAD /${key}`],
  ['readRange', (engine: StorageEngine) => engine.readRange(key, 0, 5), [key], `GET /${key}`],
  ['delete', (engine: StorageEngine) => engine.delete(key), [key], `DELETE /${key}`],
  ['finalise', (engine: StorageEngine) => engine.finalise(key, 5), [`staging/${key}`], `PUT /${key}`],
] as const;

const error = (code: string) => `<?xml version='1.0'?><Error><Code>${code}</Code></Error>`;
const failures: [string, CosMisbehaviour][] = [
  ['hangs', 'hangs'],
  ['answers 500', { status: 500, body: error('InternalError') }],
  ['answers 503 with malformed XML', { status: 503, body: '<' }],
  [
    'answers 200 with a page',
    { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html>' },
  ],
  ['answers 200 with an error', { status: 200, body: error('InternalError') }],
  ['answers 204', { status: 204 }],
  ['redirects', { status: 307, headers: { location: 'http://127.0.0.1:9/' } }],
  ['refuses', { status: 403, body: error('AccessDenied') }],
];

let cos: TencentCosDouble;
beforeEach(async () => {
  cos = await startTencentCos({ ...account, keys: { [keys.access_key]: keys.secret_key } });
});
afterEach(() => cos.stop());

describe.each(operations)('%s', (name, operate, lying, request) => {
  test.each(failures)('fails if COS %s', async (failure, misbehaviour) => {
    if (name === 'delete' && failure === 'answers 204') return; // That is success.
    for (const one of lying) cos.objects.set(one, stored);
    if (failure === 'hangs') stopTime();
    cos.misbehave = (seen) => {
      if (seen !== request) return undefined;
      if (failure === 'hangs') setImmediate(() => jest.advanceTimersByTime(5000));
      return misbehaviour;
    };

    const outcome = operate(createQcloudEngine(at(cos.url), { timeoutMs: 5000 }));

    await expect(outcome).rejects.toMatchObject(unavailable);
    jest.useRealTimers();
    expect(cos.requests.filter((seen) => seen === request)).toHaveLength(1);
  });

  test('closes the connection on a timeout', async () => {
    const closed = Promise.withResolvers<unknown>();
    const silent = await serveRaw((incoming) => {
      incoming.socket.once('close', closed.resolve);
      setImmediate(() => jest.advanceTimersByTime(5000));
    });
    stopTime();
    try {
      const outcome = operate(createQcloudEngine(at(silent.url), { timeoutMs: 5000 }));

      await expect(outcome).rejects.toMatchObject({ ...unavailable, cause: { reason: 'timeout' } });
      await closed.promise;
    } finally {
      jest.useRealTimers();
      await silent.stop();
    }
  });
});

test('all requests of an operation share one timeout', async () => {
  const now = Date.now();
  cos.misbehave = () => void jest.spyOn(Date, 'now').mockReturnValue(now + 20_000);

  const put = createQcloudEngine(at(cos.url)).put(key, new Uint8Array(5), 'image/png');

  await expect(put).rejects.toMatchObject({ ...unavailable, cause: { reason: 'timeout' } });
  expect(cos.requests).toEqual([`HEAD /${key}`]);
  jest.restoreAllMocks();
});

describe('a connection', () => {
  test('is replaced if it was kept and is lost', async () => {
    cos.objects.set(key, stored);
    const engine = createQcloudEngine(at(cos.url));
    await engine.stat(key);
    let isDead = true;
    cos.misbehave = () => {
      if (!isDead) return undefined;
      isDead = false;
      return 'loses its answer';
    };

    expect(await engine.stat(key)).toEqual({ sizeBytes: 5 });
    expect(cos.requests).toHaveLength(3);
  });

  test('that breaks in a write does not repeat the write', async () => {
    cos.misbehave = (request) => (request.startsWith('PUT') ? 'loses its answer' : undefined);

    const put = createQcloudEngine(at(cos.url)).put(key, new Uint8Array(5), 'image/png');

    await expect(put).rejects.toMatchObject(unavailable);
    expect(cos.requests).toEqual([`HEAD /${key}`, `PUT /${key}`]);
  });
});

describe('an answer', () => {
  test('to delete that the bucket is missing is a failure', async () => {
    cos.misbehave = () => ({ status: 404, body: error('NoSuchBucket') });

    const gone = createQcloudEngine(at(cos.url)).delete(key);

    await expect(gone).rejects.toMatchObject({
      ...unavailable,
      cause: { message: 'COS answered 404 NoSuchBucket to DELETE' },
    });
  });

  test.each([
    ['another range', { 'content-range': 'bytes 1-4/9' }, 'hello'],
    ['more than was asked for', { 'content-range': 'bytes 0-5/9' }, 'hello!'],
    ['less than it says', { 'content-range': 'bytes 0-4/9' }, 'hell'],
    ['no range', {}, 'hello'],
  ])('with %s is no range', async (_name, headers, body) => {
    cos.misbehave = () => ({ status: 206, headers: { etag: '"e"', ...headers }, body });

    await expect(createQcloudEngine(at(cos.url)).readRange(key, 0, 5)).rejects.toMatchObject(unavailable);
  });

  test('to a write needs an ETag', async () => {
    cos.misbehave = (request) => (request.startsWith('PUT') ? { status: 200 } : undefined);

    const put = createQcloudEngine(at(cos.url)).put(key, new Uint8Array(5), 'image/png');

    await expect(put).rejects.toMatchObject(unavailable);
  });

  test('with a code that is not a word is not quoted', async () => {
    cos.misbehave = () => ({ status: 403, body: error('q-ak=AKIDexample&q-signature=0') });

    await expect(createQcloudEngine(at(cos.url)).delete(key)).rejects.toMatchObject({
      cause: { message: 'COS answered 403 without a code to DELETE' },
    });
  });

  test('that quotes the signature is not quoted', async () => {
    const other = createQcloudEngine({ ...at(cos.url), secret_key: 'another-secret' });

    const failure: unknown = await other.delete(key).catch((reason: unknown) => reason);

    const said = inspect(failure, { depth: Infinity });
    expect(said).toContain('COS answered 403 SignatureDoesNotMatch to DELETE');
    expect(said).not.toMatch(/another-secret|q-signature|host=/);
  });
});
