import '../../../support/environment.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { guardedAgents } from '#shared/net/exchange.ts';
import type { StorageEngine } from '#shared/storage/engine.ts';
import { newKey } from '../../../contract/storage/direct-upload.ts';
import { postDirectly } from '../../../contract/storage/post-directly.ts';
import type { AliyunOssDouble } from '../../../doubles/aliyun-oss.ts';
import { pour } from '../../../doubles/misbehaving.ts';
import { engineFor, png, settings, startOss, upload } from './aliyun-fixture.ts';
import { itIsACloudEngine } from './cloud-rules.ts';
import { failureOf, operations } from './storage-fixture.ts';

const unavailable = { code: 'storage.unavailable' };

itIsACloudEngine('aliyun', {
  at: (url) => ({ ...settings, domain: url }),
  required: ['bucket', 'access_key', 'secret_key', 'domain'],
  secret: /a-secret|LTAI|OSS .*:|Signature/,
});

describe('settings', () => {
  it('refuses an invalid bucket name', async () => {
    const { code } = await failureOf(() => engineFor(settings.domain, { bucket: 'ab' }));
    expect(code).toBe('storage.not_configured');
  });

  it('puts the bucket before the host of an endpoint', async () => {
    const double = await startOss();
    const { port } = new URL(double.url);
    const agents = guardedAgents();
    const spies = [agents.http, agents.fresh.http].map((agent) =>
      jest.spyOn(agent, 'createConnection').mockImplementation(() => connect(Number(port), '127.0.0.1')),
    );
    const engine = engineFor('https://cdn.example.com', { endpoint: 'http://oss-cn-hangzhou.example.com' });
    await engine.put('uploads/a.png', png, 'image/png');
    expect(await engine.stat('uploads/a.png')).toEqual({ sizeBytes: 4 });
    expect(double.requests).toEqual(['PUT /uploads/a.png', 'HEAD /uploads/a.png']);
    for (const spy of spies) spy.mockRestore();
    await double.stop();
  });
});

describe('the service', () => {
  let double: AliyunOssDouble;
  let engine: StorageEngine;
  beforeAll(async () => {
    double = await startOss();
    engine = engineFor(double.boundUrl);
  });
  afterEach(() => {
    double.interfere = undefined;
    double.clockOffsetSeconds = 0;
  });
  afterAll(() => double.stop());

  /** Answers like OSS, with another body. */
  function answerWith(status: number, headers: Record<string, string>, body = '') {
    double.interfere = (_incoming, response) => {
      response.writeHead(status, { 'x-oss-request-id': '0123456789ABCDEF01234567', ...headers }).end(body);
      return true;
    };
  }

  it.each(operations)('fails in %s with an error of the service', async (_name, operation) => {
    answerWith(500, {}, '<Error><Code>InternalError</Code><Message>OSS ak:signature</Message></Error>');
    const { code, text } = await failureOf(() => operation(engine));
    expect(code).toBe('storage.unavailable');
    expect(text).toContain('status 500');
    expect(text).not.toContain('signature');
  });

  it.each(operations)(
    'fails in %s with a redirect of the service, which is not followed',
    async (_name, operation) => {
      const elsewhere = await startOss();
      answerWith(307, { location: elsewhere.boundUrl });
      expect((await failureOf(() => operation(engine))).text).toContain('redirect (status 307)');
      expect(elsewhere.requests).toEqual([]);
      await elsewhere.stop();
    },
  );

  it('fails with the status 304', async () => {
    answerWith(304, {});
    await expect(engine.readRange(newKey(), 0, 4)).rejects.toMatchObject(unavailable);
  });

  it('logs only single words of an answer', async () => {
    answerWith(500, {}, '<Error><Code>OSS LTAI:signature</Code><RequestId>a b</RequestId></Error>');
    const { text } = await failureOf(() => engine.delete(newKey()));
    expect(text).toContain('OSS answered - (status 500, EC -, request -)');
    expect(text).not.toContain('signature');
  });

  it.each(operations)('fails in %s with an answer that is not XML', async (_name, operation) => {
    answerWith(403, {}, '<Error><Code>Access LTAI0000000000000000test');
    const { code, text } = await failureOf(() => operation(engine));
    expect(code).toBe('storage.unavailable');
    expect(text).not.toContain('LTAI');
  });

  it('does not take a missing bucket for a missing object', async () => {
    const other = engineFor(double.url, { endpoint: double.url, path_style: true, bucket: 'another-bucket' });
    const { code, text } = await failureOf(() => other.stat(newKey()));
    expect(code).toBe('storage.unavailable');
    expect(text).toContain('OSS answered NoSuchBucket (status 404, EC 0015-00000101, request ');
  });

  it('fails with a clock that is a quarter of an hour off', async () => {
    double.clockOffsetSeconds = 16 * 60;
    expect((await failureOf(() => engine.stat(newKey()))).text).toContain('RequestTimeTooSkewed');
  });

  it('fails with the region of another bucket', async () => {
    const other = engineFor(double.boundUrl, { region: 'cn-beijing' });
    expect(await failureOf(() => other.stat(newKey()))).toMatchObject(unavailable);
  });

  it('fails with an answer to HEAD without a size', async () => {
    answerWith(200, { 'transfer-encoding': 'chunked' });
    await expect(engine.stat(newKey())).rejects.toMatchObject(unavailable);
  });

  it('stores nothing of a file if the connection breaks half-way', async () => {
    const [key, bytes] = [newKey(), new Uint8Array(5_000_000)];
    double.interfere = (incoming) => {
      incoming.once('data', () => incoming.socket.destroy());
      return true;
    };
    await expect(engine.put(key, bytes, 'image/png')).rejects.toMatchObject(unavailable);
    double.interfere = undefined;
    expect(await engine.stat(key)).toBeUndefined();
    await engine.put(key, bytes, 'image/png');
    expect(await engine.stat(key)).toEqual({ sizeBytes: 5_000_000 });
  });

  /** Answers requests over new connections, and breaks kept connections. */
  function loseKept() {
    const known = new Set<unknown>();
    double.interfere = ({ socket }) => {
      if (!known.has(socket)) return !known.add(socket);
      return Boolean(socket.destroy());
    };
  }

  it('asks again if a kept connection was lost', async () => {
    const key = newKey();
    await engine.put(key, png, 'image/png');
    loseKept();
    await engine.stat(key);
    const before = double.requests.length;
    expect(await engine.stat(key)).toEqual({ sizeBytes: 4 });
    expect(double.requests.length - before).toBe(2);
  });

  it('stores by one request if kept connections are lost', async () => {
    const key = newKey();
    loseKept();
    await engine.stat(key);
    const before = double.requests.length;
    await engine.put(key, png, 'image/png');
    expect(double.requests.slice(before)).toEqual([`PUT /${key}`]);
  });

  it('does not store again if the answer is lost', async () => {
    const key = newKey();
    double.interfere = ({ socket }) => Boolean(socket.destroy());
    const before = double.requests.length;
    await expect(engine.put(key, png, 'image/png')).rejects.toMatchObject(unavailable);
    expect(double.requests.slice(before)).toEqual([`PUT /${key}`]);
  });

  it('sends the given bytes and type', async () => {
    const whole = new Uint8Array([0, 1, 2, 3, 4]);
    await engine.put('uploads/part.bin', whole.subarray(1, 3), 'image/svg+xml');
    const stored = double.objects.get('uploads/part.bin');
    expect(stored).toMatchObject({
      bytes: Buffer.from([1, 2]),
      headers: { 'content-type': 'image/svg+xml' },
      acl: 'default',
    });
  });

  describe('a range', () => {
    const serve = (respond: (response: ServerResponse, incoming: IncomingMessage) => void) => {
      double.interfere = (incoming, response) => {
        response.setHeader('x-oss-request-id', '0123456789ABCDEF01234567');
        respond(response, incoming);
        return true;
      };
    };

    it('is requested so that it ends with the object', async () => {
      const key = newKey();
      await engine.put(key, new Uint8Array(100_000).fill(7), 'image/png');
      expect([...(await engine.readRange(key, 99_998, 100_100))]).toEqual([7, 7]);
      expect(await engine.readRange(key, 100_000, 100_100)).toHaveLength(0);
      expect(await engine.readRange(key, 3, 3)).toHaveLength(0);
    });

    it('is cut out if the whole object arrives', async () => {
      serve((response) => response.writeHead(200).end('0123456789'));
      expect(Buffer.from(await engine.readRange(newKey(), 2, 5)).toString()).toBe('234');
      expect(await engine.readRange(newKey(), 20, 30)).toHaveLength(0);
    });

    it.each([
      ['another one comes', { 'content-range': 'bytes 0-2/10' }],
      ['the answer does not say which range it is', {}],
    ])('fails where %s', async (_name, headers) => {
      serve((response) => response.writeHead(206, headers).end('012'));
      await expect(engine.readRange(newKey(), 2, 5)).rejects.toMatchObject(unavailable);
    });

    it('fails if more arrives than requested, without reading all of it', async () => {
      let socket: Socket | undefined;
      serve((response, incoming) => {
        socket = incoming.socket;
        pour(response.writeHead(206, { 'content-range': 'bytes 0-3/4' }));
      });
      expect((await failureOf(() => engine.readRange(newKey(), 0, 4))).text).toContain('longer than 65540');
      expect(socket?.bytesWritten).toBeLessThan(20_000_000);
    });
  });
});

it('finalises within one limit of time', async () => {
  const double = await startOss({ knowsTypeField: false });
  const [engine, key] = [engineFor(double.boundUrl), newKey()];
  await postDirectly(await engine.directTicket(upload(key)), png);
  const now = Date.now();
  double.interfere = ({ method }) => {
    jest.spyOn(Date, 'now').mockReturnValue(now + 20_000);
    return method === 'PUT';
  };

  const { text } = await failureOf(() => engine.finalise(key, png.length));
  jest.restoreAllMocks();

  expect(text).toContain('no whole answer from localhost in 1 ms');
  await double.stop();
});
