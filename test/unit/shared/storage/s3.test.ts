import '../../../support/environment.ts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createEngine as createS3Engine } from '#shared/storage/engines/s3/engine.ts';
import type { S3Settings } from '#shared/storage/engines/s3/settings.ts';
import { toUpload } from '../../../contract/storage/direct-upload.ts';
import { postDirectly } from '../../../contract/storage/post-directly.ts';
import type { AmazonS3Double } from '../../../doubles/amazon-s3.ts';
import { itIsACloudEngine } from './cloud-rules.ts';
import {
  cacheControl,
  contentType,
  given,
  hello,
  key,
  place,
  role,
  settingsAt,
  startS3,
} from './s3-fixture.ts';

const ticketFor = (settings: S3Settings) =>
  createS3Engine(settings).directTicket(toUpload({ key, sizeBytes: hello.length }));

let s3: AmazonS3Double;
let settings: S3Settings;
beforeEach(async () => {
  s3 = await startS3();
  settings = settingsAt(s3);
});
afterEach(() => s3.stop());

itIsACloudEngine('s3', {
  at: (url) => ({ ...given, endpoint: url, domain: url, path_style: true }),
  required: ['bucket', 'region', 'access_key', 'secret_key', 'domain'],
  secret: /a-secret|Signature=|AKIAEXAMPLE/,
});

describe('the settings', () => {
  test('need both keys for another service', () => {
    const change = { access_key: '', secret_key: '', endpoint: 'storage.example.com' };

    expect(() => createS3Engine({ ...given, ...change })).toThrow(
      expect.objectContaining({ cause: new Error('s3 lacks access_key, secret_key') }),
    );
  });

  test.each([
    ['', false, 'https://files-of-a-site.s3.ap-southeast-1.amazonaws.com/uploads/'],
    ['', true, 'https://s3.ap-southeast-1.amazonaws.com/files-of-a-site/uploads/'],
    ['storage.example.com', false, 'https://files-of-a-site.storage.example.com/uploads/'],
    ['http://storage.example.com:9000/', true, 'http://storage.example.com:9000/files-of-a-site/uploads/'],
  ])('with the endpoint "%s" and path_style %s send uploads to %s', async (endpoint, path_style, url) => {
    const changed = { ...given, endpoint, path_style };

    expect((await ticketFor(changed)).url.startsWith(url)).toBe(true);
    expect(await createS3Engine(changed).origins()).toEqual({
      uploads: [new URL(url).origin],
      files: ['https://cdn.example.com'],
    });
  });
});

describe('a direct upload', () => {
  const stored = { 'content-type': contentType, 'cache-control': cacheControl };

  test('is one PUT whose signature covers length, type and the refusal to overwrite', async () => {
    const { url, ...ticket } = await ticketFor(settings);

    expect(ticket).toEqual({
      method: 'PUT',
      headers: { 'content-type': contentType, 'if-none-match': '*', 'cache-control': cacheControl },
      fields: {},
      file_field: '',
    });
    const query = new URL(url).searchParams;
    expect(query.get('X-Amz-SignedHeaders')).toBe(
      'cache-control;content-length;content-type;host;if-none-match',
    );
    expect(Number(query.get('X-Amz-Expires'))).toBeGreaterThan(3590);
    expect(url).not.toMatch(/checksum|secret/i);
  });

  test.each([
    ['a shorter body', hello.subarray(1), {}, 'SignatureDoesNotMatch'],
    ['a longer body', new Uint8Array(6), {}, 'SignatureDoesNotMatch'],
    ['another type', hello, { 'content-type': 'text/html' }, 'SignatureDoesNotMatch'],
    ['a permission to overwrite', hello, { 'if-none-match': '"a"' }, 'SignatureDoesNotMatch'],
    ['another time in caches', hello, { 'cache-control': 'no-cache' }, 'SignatureDoesNotMatch'],
    ['rights of others', hello, { 'x-amz-acl': 'public-read-write' }, 'AccessDenied'],
  ])('may not have %s', async (_name, bytes, change, code) => {
    const ticket = await ticketFor(settings);

    const answer = await postDirectly({ ...ticket, headers: { ...ticket.headers, ...change } }, bytes);

    expect(answer).toMatchObject({ status: 403, body: expect.stringContaining(`<Code>${code}</Code>`) });
    expect(s3.objects.size).toBe(0);
  });

  test.each([
    [
      'another signature',
      /(?<=X-Amz-Signature=.)./,
      'x',
      'AuthorizationHeaderMalformed|SignatureDoesNotMatch',
    ],
    ['a later end', /(?<=X-Amz-Expires=)\d+/, '86400', 'SignatureDoesNotMatch'],
    ['another key', /235959a1b2/, '235959a1b3', 'SignatureDoesNotMatch'],
    ['other keys of the account', /AKIAEXAMPLE/, 'AKIAANOTHER', 'InvalidAccessKeyId'],
  ])('may not have %s', async (_name, part, other, codes) => {
    const ticket = await ticketFor(settings);

    const answer = await postDirectly({ ...ticket, url: ticket.url.replace(part, other) }, hello);

    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body).toMatch(new RegExp(`<Code>(?:${codes})</Code>`));
    expect(s3.objects.size).toBe(0);
  });

  test('loses headers that its client added, when it is finalised', async () => {
    const engine = createS3Engine(settings);
    const ticket = await ticketFor(settings);
    const added = {
      'content-encoding': 'gzip',
      'content-disposition': 'inline',
    };
    await postDirectly({ ...ticket, headers: { ...ticket.headers, ...added } }, hello);
    expect(s3.objects.get(key)?.headers).toEqual({ ...stored, ...added });

    expect(await engine.finalise(key, 5)).toEqual({ sizeBytes: 5 });
    expect(s3.objects.get(key)?.headers).toEqual(stored);
    expect(String(s3.objects.get(key)?.bytes)).toBe('hello');
  });

  test('costs one request to finalise', async () => {
    await postDirectly(await ticketFor(settings), hello);
    s3.requests.length = 0;

    await createS3Engine(settings).finalise(key, 5);

    expect(s3.requests).toEqual([`HEAD /${place.bucket}/${key}`]);
  });
});

describe("a stage's own bucket", () => {
  const before = { ...process.env };
  afterEach(() => {
    process.env = { ...before };
  });

  const empty: S3Settings = {
    bucket: '',
    region: '',
    access_key: '',
    secret_key: '',
    domain: '',
    endpoint: '',
    path_style: false,
  };

  const open = async <T>(
    work: (modules: {
      engine: typeof import('#shared/storage/engines/s3/engine.ts');
      registry: typeof import('#shared/storage/engines.ts');
    }) => Promise<T>,
  ) =>
    jest.isolateModulesAsync(async () => {
      Object.assign(process.env, {
        S3_BUCKET: place.bucket,
        AWS_REGION: place.region,
        AWS_ACCESS_KEY_ID: role.accessKeyId,
        AWS_SECRET_ACCESS_KEY: role.secret,
        AWS_SESSION_TOKEN: role.token,
      });
      const engine = await import('#shared/storage/engines/s3/engine.ts');
      await work({ engine, registry: await import('#shared/storage/engines.ts') });
    });

  test('is the engine of new files without any setting, and is read at its own host', async () => {
    await open(async ({ engine, registry }) => {
      expect(registry.findEngineName('')).toBe('s3');
      expect(registry.findEngineName('local')).toBe('local');
      const stage = engine.createEngine(empty);
      const host = 'https://files-of-a-site.s3.ap-southeast-1.amazonaws.com';
      expect(stage.publicUrl(key)).toBe(`${host}/${key}`);
      expect(await stage.origins()).toEqual({ uploads: [host], files: [host] });
      expect(engine.createEngine({ ...empty, domain: 'cdn.example.com' }).publicUrl(key)).toBe(
        `https://cdn.example.com/${key}`,
      );
    });
  });

  test('is used with the role of the function', async () => {
    process.env.AWS_ENDPOINT_URL_S3 = s3.url;
    await open(async ({ engine }) => {
      const stage = engine.createEngine(empty);
      await stage.put(key, hello, contentType);
      expect(Buffer.from(await stage.readRange(key, 0, 5)).toString()).toBe('hello');
      await stage.delete(key);

      const ticket = await stage.directTicket(toUpload({ key, sizeBytes: hello.length }));
      expect(new URL(ticket.url).searchParams.get('X-Amz-Security-Token')).toBe(role.token);
      expect((await postDirectly(ticket, hello)).status).toBe(200);
      expect(await stage.finalise(key, 5)).toEqual({ sizeBytes: 5 });
    });
  });

  test('gives nothing to settings of another bucket or service', async () => {
    await open(async ({ engine }) => {
      for (const other of [{ bucket: 'another-bucket' }, { endpoint: 'storage.example.com' }]) {
        expect(() => engine.createEngine({ ...empty, ...other })).toThrow('storage.not_configured');
      }
    });
  });
});
