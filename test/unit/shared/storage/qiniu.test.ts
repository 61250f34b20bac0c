import '../../../support/environment.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mimeTypes } from '#shared/config/upload.ts';
import { ObjectExistsError, type StorageEngine } from '#shared/storage/engine.ts';
import { createEngine as createQiniuEngine } from '#shared/storage/engines/qiniu/engine.ts';
import type { QiniuSettings } from '#shared/storage/engines/qiniu/settings.ts';
import { newKey } from '../../../contract/storage/direct-upload.ts';
import { postDirectly } from '../../../contract/storage/post-directly.ts';
import type { QiniuKodoDouble } from '../../../doubles/qiniu-kodo.ts';
import { itIsACloudEngine } from './cloud-rules.ts';
import { keys, png, startKodo, toSettings, toUpload } from './qiniu-fixture.ts';
import { failureOf } from './storage-fixture.ts';

let kodo: QiniuKodoDouble;
let engine: StorageEngine;
beforeEach(async () => {
  kodo = await startKodo();
  engine = createQiniuEngine(toSettings(kodo.host));
});
afterEach(() => kodo.stop());

itIsACloudEngine('qiniu', {
  at: (url) => toSettings(new URL(url).host),
  required: ['bucket', 'access_key', 'secret_key', 'domain'],
  // A signature has 20 bytes in Base64, as in every token.
  secret: /secret-key-of|[\w-]{27}=/,
  // Bytes that are not JSON can be a file, an empty answer can be `deleted`.
  wellFormed: {
    delete: ['answers nothing'],
    readRange: [
      'answers HTML',
      'answers garbage',
      'answers nothing',
      'answers other JSON',
      'answers too much',
    ],
  },
});

describe('settings', () => {
  test.each<[Partial<QiniuSettings>, string]>([
    [{ region: 'z0', https: true }, 'https://upload.qiniup.com/'],
    [{ region: 'cn-east-2', https: true }, 'https://upload-cn-east-2.qiniup.com/'],
    [{ region: 'as0', https: false }, 'http://upload-as0.qiniup.com/'],
    [{ region: 'z0', up_host: 'up.example.com', https: true }, 'https://up.example.com/'],
    [{ up_host: 'up.example.com:8080', https: false }, 'http://up.example.com:8080/'],
    [{ up_host: 'http://up.example.com:8080/', https: true }, 'http://up.example.com:8080/'],
  ])('send clients of %j to %s', async (change, url) => {
    const { directTicket } = createQiniuEngine(toSettings('', change));

    expect(await directTicket(toUpload())).toMatchObject({ url, headers: {}, file_field: 'file' });
  });
});

describe('a stored file', () => {
  test.each(Object.entries(mimeTypes))('of the extension %s has its type', async (ext, contentType) => {
    const [put, sent] = [newKey(), newKey()].map((key) => key.replace('png', ext));
    await engine.put(put ?? '', png, contentType);
    const ticket = await engine.directTicket(toUpload({ key: sent, contentType }));

    expect((await postDirectly(ticket, png)).status).toBe(200);
    await engine.finalise(sent ?? '', png.length);

    expect(kodo.objects.get(put ?? '')?.mimeType).toBe(contentType);
    expect(kodo.objects.get(sent ?? '')?.mimeType).toBe(contentType);
  });

  test('may be stored again if it is equal, and is never replaced', async () => {
    const key = newKey();
    await engine.put(key, png, 'image/png');

    await engine.put(key, png, 'image/png');
    await expect(engine.put(key, Buffer.of(1), 'image/png')).rejects.toBeInstanceOf(ObjectExistsError);

    expect(kodo.objects.get(key)?.bytes).toEqual(png);
  });

  test('is read from a private bucket', async () => {
    const closed = await startKodo({ isPrivate: true });
    const { put, readRange, publicUrl } = createQiniuEngine(toSettings(closed.host));
    const key = newKey();
    await put(key, png, 'image/png');

    expect(Buffer.from(await readRange(key, 1, 4)).toString()).toBe('PNG');
    expect((await fetch(publicUrl(key))).status).toBe(401);
    await closed.stop();
  });

  test('is read from a domain that ignores ranges', async () => {
    kodo.misbehave = (incoming, response) => {
      response.end(png);
      return incoming.method === 'GET';
    };

    expect(Buffer.from(await engine.readRange(newKey(), 1, 4)).toString()).toBe('PNG');
    expect(await engine.readRange(newKey(), 100, 200)).toHaveLength(0);
  });

  test('is requested with signatures that are valid for a host with a port', async () => {
    await engine.put(newKey(), png, 'image/png');
    await engine.stat(newKey());

    expect(kodo.doubledPorts).toBe(0);
  });
});

describe('a direct upload', () => {
  test('is refused with a smaller body', async () => {
    const ticket = await engine.directTicket(toUpload({ sizeBytes: png.length + 1 }));

    expect((await postDirectly(ticket, png)).status).toBe(403);
    expect(kodo.objects.size).toBe(0);
  });

  test('is refused from the second at which its ticket expires', async () => {
    const ticket = await engine.directTicket(toUpload({ expiresAt: Math.floor(Date.now() / 1000) }));

    expect((await postDirectly(ticket, png)).status).toBe(401);
  });

  test('shows the client only what it needs, and no secret key', async () => {
    const upload = toUpload();

    const ticket = await engine.directTicket(upload);

    const [accessKey, , policy = ''] = (ticket.fields.token ?? '').split(':');
    expect(JSON.stringify(ticket)).not.toContain(keys.secret_key);
    expect(accessKey).toBe(keys.access_key);
    expect(JSON.parse(Buffer.from(policy, 'base64url').toString())).toEqual({
      scope: `${keys.bucket}:${upload.key}`,
      insertOnly: 1,
      fsizeMin: png.length,
      fsizeLimit: png.length,
      detectMime: 1,
      deadline: upload.expiresAt,
    });
  });
});

describe('a connection', () => {
  test.each([
    ['put', () => engine.put(newKey(), png, 'image/png')],
    ['stat', () => engine.stat(newKey())],
    ['delete', () => engine.delete(newKey())],
  ])('that was lost while it was kept is made again for %s', async (_name, run) => {
    await engine.stat(newKey());
    kodo.misbehave = (incoming) => {
      kodo.misbehave = undefined;
      return Boolean(incoming.socket.destroy());
    };

    expect(await run()).toBeUndefined();
    expect(kodo.requests).toHaveLength(3);
  });

  test.each([
    ['another range', 'bytes 10-13/100', '1234'],
    ['fewer bytes than there are', 'bytes 0-3/100', '1234'],
    ['no range', '', '1234'],
  ])('that answers %s fails', async (_name, range, body) => {
    kodo.misbehave = (_incoming, response) => {
      response.writeHead(206, { 'content-range': range }).end(body);
      return true;
    };

    expect(await failureOf(() => engine.readRange(newKey(), 0, 10))).toMatchObject({
      code: 'storage.unavailable',
    });
  });
});
