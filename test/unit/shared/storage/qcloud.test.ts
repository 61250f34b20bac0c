import '../../../support/environment.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ObjectExistsError } from '#shared/storage/engine.ts';
import { createEngine as createQcloudEngine } from '#shared/storage/engines/qcloud/engine.ts';
import type { QcloudSettings } from '#shared/storage/engines/qcloud/settings.ts';
import { toUpload } from '../../../contract/storage/direct-upload.ts';
import { postDirectly } from '../../../contract/storage/post-directly.ts';
import { startTencentCos, type TencentCosDouble } from '../../../doubles/tencent-cos.ts';
import { itIsACloudEngine } from './cloud-rules.ts';

const given: QcloudSettings = {
  bucket: 'examplebucket-1250000000',
  region: 'ap-guangzhou',
  access_key: 'AKIDexample',
  secret_key: 'a-secret-key',
  domain: 'cdn.example.com',
  endpoint: '',
};
const key = 'uploads/image/20250131/235959a1b2.png';
const staging = `staging/${key}`;
const contentType = 'image/png';
const hello = new TextEncoder().encode('hello');
const ticketFor = (settings: QcloudSettings) =>
  createQcloudEngine(settings).directTicket(toUpload({ key, sizeBytes: hello.length }));

let cos: TencentCosDouble;
let settings: QcloudSettings;
const start = async (keepsVersions = false) => {
  const { bucket, region } = given;
  cos = await startTencentCos({ bucket, region, keys: { AKIDexample: 'a-secret-key' }, keepsVersions });
  settings = { ...given, endpoint: cos.url, domain: cos.url };
};
beforeEach(() => start());
afterEach(() => cos.stop());

itIsACloudEngine('qcloud', {
  at: (url) => ({ ...given, endpoint: url, domain: url }),
  required: ['bucket', 'region', 'access_key', 'secret_key', 'domain'],
  secret: /a-secret-key|q-signature|AKIDexample/,
  // That of the object, and that of a direct upload.
  requests: { delete: 2 },
});

describe('the settings', () => {
  test('that are missing are all named, without values', () => {
    expect(() => createQcloudEngine({ ...given, bucket: '', domain: '' })).toThrow(
      expect.objectContaining({ cause: new Error('qcloud lacks bucket, domain') }),
    );
  });

  test.each([
    ['a bucket without the appid', { bucket: 'examplebucket' }],
    ['an invalid region', { region: 'ap.guangzhou' }],
  ])('may not hold %s', (_name, change) => {
    expect(() => createQcloudEngine({ ...given, ...change })).toThrow('storage.not_configured');
  });

  test.each([
    ['', 'https://examplebucket-1250000000.cos.ap-guangzhou.myqcloud.com/'],
    ['cos.example.com', 'https://cos.example.com/'],
    ['cos.example.com:8443', 'https://cos.example.com:8443/'],
    ['https://cos.example.com/', 'https://cos.example.com/'],
    ['http://cos.example.com:8080', 'http://cos.example.com:8080/'],
  ])('with the endpoint "%s" send uploads to %s', async (endpoint, url) => {
    expect((await ticketFor({ ...given, endpoint })).url).toBe(url);
  });
});

describe('a stored object', () => {
  test('is found before the write if the bucket would overwrite it', async () => {
    await cos.stop();
    await start(true);
    const engine = createQcloudEngine(settings);
    await engine.put(key, hello, contentType);

    await expect(engine.put(key, new Uint8Array(9), contentType)).rejects.toBeInstanceOf(ObjectExistsError);
    expect(cos.objects.get(key)?.bytes).toHaveLength(5);
  });

  test('stays if it appears between the check and the write', async () => {
    cos.misbehave = (request) => {
      if (request === `PUT /${key}`) cos.objects.set(key, { bytes: Buffer.from('other'), headers: {} });
      return undefined;
    };

    const put = createQcloudEngine(settings).put(key, hello, contentType);

    await expect(put).rejects.toBeInstanceOf(ObjectExistsError);
    expect(String(cos.objects.get(key)?.bytes)).toBe('other');
  });

  test('keeps its content type', async () => {
    const engine = createQcloudEngine(settings);
    await engine.put(key, hello, contentType);

    expect((await fetch(engine.publicUrl(key))).headers.get('content-type')).toBe(contentType);
  });
});

describe('a direct upload', () => {
  test('is stored at a key that no record has, and is not displayed as a page', async () => {
    const engine = createQcloudEngine(settings);
    const ticket = await ticketFor(settings);
    await postDirectly(ticket, hello);

    expect([...cos.objects.keys()]).toEqual([staging]);
    expect((await fetch(engine.publicUrl(staging))).headers.get('content-disposition')).toBe('attachment');
    await engine.finalise(key, 5);
    expect([...cos.objects.keys()]).toEqual([key]);
    expect((await fetch(engine.publicUrl(key))).headers.get('content-disposition')).toBeNull();
  });

  test('is a form whose every field COS checks', async () => {
    const expiresAt = Math.floor(Date.now() / 1000) + 600;
    const upload = toUpload({ key, contentType, sizeBytes: 5, expiresAt });

    const { fields, ...ticket } = await createQcloudEngine(settings).directTicket(upload);

    expect(ticket).toEqual({ method: 'POST', url: `${cos.url}/`, headers: {}, file_field: 'file' });
    const { policy = '', 'q-signature': _signature, 'q-key-time': keyTime = '', ...pinned } = fields;
    expect(pinned).toEqual({
      key: staging,
      'Content-Type': contentType,
      'Content-Disposition': 'attachment',
      success_action_status: '200',
      'q-sign-algorithm': 'sha1',
      'q-ak': 'AKIDexample',
    });
    expect(keyTime.split(';')[1]).toBe(String(expiresAt));
    expect(JSON.parse(atob(policy))).toEqual({
      expiration: new Date(expiresAt * 1000).toISOString(),
      conditions: expect.arrayContaining([
        { bucket: given.bucket },
        { 'q-sign-time': keyTime },
        ['content-length-range', 5, 5],
        ...Object.entries(pinned).map(([name, value]) => ({ [name]: value })),
      ]),
    });
  });

  test.each([
    ['a smaller body', {}, hello.subarray(1), 'EntityTooSmall'],
    ['a larger body', { append: hello }, hello, 'EntityTooLarge'],
    [
      'another type',
      { fields: (fields: object) => ({ ...fields, 'Content-Type': 'text/html' }) },
      hello,
      'AccessDenied',
    ],
    ['its final key', { fields: (fields: object) => ({ ...fields, key }) }, hello, 'AccessDenied'],
    [
      'another policy',
      { fields: (fields: object) => ({ ...fields, policy: btoa('{}') }) },
      hello,
      'SignatureDoesNotMatch',
    ],
  ])('may not have %s', async (_name, change, bytes, code) => {
    const answer = await postDirectly(await ticketFor(settings), bytes, change);

    expect(answer.body).toContain(`<Code>${code}</Code>`);
    expect(cos.objects.size).toBe(0);
  });

  test('takes no added form field to its final key', async () => {
    const engine = createQcloudEngine(settings);
    const fields = (given: Record<string, string>) => ({ 'Content-Encoding': 'gzip', ...given });
    await postDirectly(await ticketFor(settings), hello, { fields });
    await engine.finalise(key, 5);

    expect(cos.objects.get(key)?.headers).toEqual({ 'content-type': contentType });
  });

  test('is finalised with its real size', async () => {
    cos.objects.set(staging, { bytes: Buffer.alloc(7), headers: { 'content-type': contentType } });

    expect(await createQcloudEngine(settings).finalise(key, 5)).toEqual({ sizeBytes: 7 });
  });

  test.each([
    ['before its leftovers are deleted', `DELETE /${staging}`, { status: 500 }],
    ['before it hears of the copy', `PUT /${key}`, 'loses its answer'],
    ['before the copy', `PUT /${key}`, { status: 503 }],
  ] as const)('is finalised again after a failure %s', async (_name, at, failure) => {
    const engine = createQcloudEngine(settings);
    await postDirectly(await ticketFor(settings), hello);
    cos.misbehave = (request) => (request === at ? failure : undefined);
    await expect(engine.finalise(key, 5)).rejects.toMatchObject({ code: 'storage.unavailable' });
    cos.misbehave = undefined;

    expect(await engine.finalise(key, 5)).toEqual({ sizeBytes: 5 });
    expect([...cos.objects.keys()]).toEqual([key]);
  });

  test('may be finalised by several calls at once', async () => {
    const engine = createQcloudEngine(settings);
    await postDirectly(await ticketFor(settings), hello);

    const finalised = await Promise.all(Array.from({ length: 4 }, () => engine.finalise(key, 5)));

    expect(finalised).toEqual(Array(4).fill({ sizeBytes: 5 }));
    expect([...cos.objects.keys()]).toEqual([key]);
  });

  test.each([
    ['the look for what was sent', `HEAD /${staging}`],
    ['the copy', `PUT /${key}`],
  ])('that another finalises before %s is the same', async (_name, at) => {
    cos.objects.set(staging, { bytes: Buffer.from('hello'), headers: { 'content-type': contentType } });
    cos.misbehave = (request) => {
      if (request !== at) return undefined;
      cos.objects.set(key, { bytes: Buffer.from('hello'), headers: { 'content-type': contentType } });
      cos.objects.delete(staging);
      return undefined;
    };

    expect(await createQcloudEngine(settings).finalise(key, 5)).toEqual({ sizeBytes: 5 });
  });

  test('is not finalised if it changes between check and copy', async () => {
    cos.objects.set(staging, { bytes: Buffer.from('hello'), headers: { 'content-type': contentType } });
    cos.misbehave = (request) => {
      if (request === `PUT /${key}`) cos.objects.set(staging, { bytes: Buffer.from('HELLO!'), headers: {} });
      return undefined;
    };

    const finalised = createQcloudEngine(settings).finalise(key, 5);

    await expect(finalised).rejects.toMatchObject({ code: 'storage.unavailable' });
    expect(cos.objects.has(key)).toBe(false);
  });
});
