import '../../../support/environment.ts';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { StorageEngine } from '#shared/storage/engine.ts';
import { createEngine as createS3Engine } from '#shared/storage/engines/s3/engine.ts';
import type { AmazonS3Double } from '../../../doubles/amazon-s3.ts';
import { contentType, hello, key, keys, place, settingsAt, startS3 } from './s3-fixture.ts';

const unavailable = { code: 'storage.unavailable' };
const encoded = { 'content-type': contentType, 'content-encoding': 'gzip' };

/** The operation, and the request that fails. */
const operations = [
  ['put', (engine: StorageEngine) => engine.put(key, hello, contentType), 'PUT'],
  ['stat', (engine: StorageEngine) => engine.stat(key), 'HEAD'],
  ['readRange', (engine: StorageEngine) => engine.readRange(key, 0, 5), 'GET'],
  ['delete', (engine: StorageEngine) => engine.delete(key), 'DELETE'],
  // A client's header is taken away by a copy.
  ['finalise', (engine: StorageEngine) => engine.finalise(key, 5), 'PUT'],
] as const;

const error = (code: string) => `<?xml version='1.0'?><Error><Code>${code}</Code></Error>`;
const failures: [string, number, string, Record<string, string>?][] = [
  ['answers 500', 500, error('InternalError')],
  ['answers 503 with malformed XML', 503, '<'],
  ['answers 200 with a page', 200, '<!doctype html>', { 'content-type': 'text/html' }],
  ['redirects', 307, '', { location: 'http://127.0.0.1:9/' }],
  ['refuses', 403, error('AccessDenied')],
  ['repeats the request', 403, error(`AccessDenied</Code><A>${keys.secret_key}</A><Code>`)],
];

let s3: AmazonS3Double;
beforeEach(async () => {
  s3 = await startS3();
});
afterEach(() => s3.stop());

describe.each(operations)('%s', (name, operate, method) => {
  test.each(failures)('fails if S3 %s', async (failure, status, body, headers = {}) => {
    if (name !== 'put' || failure === 'redirects')
      s3.objects.set(key, { bytes: Buffer.from(hello), headers: encoded });
    s3.misbehave = (incoming, response) => {
      if (incoming.method !== method) return false;
      incoming.resume();
      response.writeHead(status, headers).end(body);
      return true;
    };

    const reason: unknown = await operate(createS3Engine(settingsAt(s3))).catch((thrown: unknown) => thrown);

    expect(reason).toMatchObject(unavailable);
    expect(inspect(reason, { depth: Infinity })).not.toContain(keys.secret_key);
    expect(s3.requests.filter((seen) => seen === `${method} /${place.bucket}/${key}`)).toHaveLength(1);
  });
});

test('a write whose answer is lost is not repeated', async () => {
  s3.misbehave = (incoming, response) => {
    if (incoming.method === 'PUT') response.end = () => response.destroy();
    return false;
  };

  await expect(createS3Engine(settingsAt(s3)).put(key, hello, contentType)).rejects.toMatchObject(
    unavailable,
  );
  expect(s3.requests).toEqual([`PUT /${place.bucket}/${key}`]);
  expect(s3.objects.size).toBe(1);
});
