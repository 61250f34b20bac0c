import '../../../support/environment.ts';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, LookupFunction, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { assertPublicEndpoint } from '#shared/net/endpoint.ts';
import { createGuardedAgents } from '#shared/net/exchange.ts';
import { OutboundError } from '#shared/net/outbound-error.ts';
import type { OutboundPolicy } from '#shared/net/public-address.ts';
import { type OutboundRequest, requestJson } from '#shared/net/request-json.ts';
import { type Misbehaviour, misbehaviours, startMisbehaving } from '../../../doubles/misbehaving.ts';
import { type DoubleAnswer, type DoubleRequest, type RunningDouble, serve } from '../../../doubles/serve.ts';
import { stopTime } from '../../../support/fake-time.ts';

let double: RunningDouble;
let seen: DoubleRequest[];
let given: DoubleAnswer;
beforeEach(async () => {
  seen = [];
  given = { body: { ok: true } };
  double = await serve((request) => {
    seen.push(request);
    return given;
  });
});
afterEach(() => double.stop());

function createRequestJson(policy: OutboundPolicy) {
  const agents = createGuardedAgents(policy);
  return (request: OutboundRequest) => requestJson(request, agents);
}
const ask = createRequestJson({ allowPrivate: true });
const failOf = async (request: OutboundRequest, requester = ask): Promise<OutboundError> => {
  const error = await requester(request).catch((reason: unknown) => reason);
  if (!(error instanceof OutboundError)) throw new Error(`expected an OutboundError, got ${String(error)}`);
  return error;
};
/** A resolver that knows every name, one answer after the other. */
const resolver = (...answers: (string | string[])[]) =>
  jest.fn<LookupFunction>((_hostname, options, callback) => {
    const next = answers.length > 1 ? answers.shift() : answers[0];
    const addresses = [next ?? []].flat();
    const family = (address: string) => (address.includes(':') ? 6 : 4);
    process.nextTick(() => {
      if (options.all)
        callback(
          null,
          addresses.map((address) => ({ address, family: family(address) })),
        );
      else callback(null, addresses[0] ?? '', family(addresses[0] ?? ''));
    });
  });

describe('a request', () => {
  test('asks by GET without a body and answers the parsed JSON', async () => {
    const response = await ask({ url: `${double.url}/a/b?c=%20d&e=%2A`, headers: { 'x-test': 'y' } });

    expect(response).toEqual({ status: 200, body: { ok: true } });
    expect(seen).toMatchObject([{ method: 'GET', path: '/a/b', query: 'c=%20d&e=%2A', body: '' }]);
    expect(seen[0]?.headers).toMatchObject({ 'x-test': 'y', connection: 'keep-alive' });
    expect(seen[0]?.headers).not.toHaveProperty('content-type');
  });

  test('posts a body byte for byte', async () => {
    await ask({ url: double.url, method: 'POST', body: '{ "name":  "微信" }' });

    expect(seen[0]).toMatchObject({ method: 'POST', body: '{ "name":  "微信" }' });
    expect(seen[0]?.headers).toMatchObject({ 'content-type': 'application/json', 'content-length': '21' });
  });

  test('lets the caller name another content type', async () => {
    await ask({ url: double.url, method: 'POST', body: 'a=1', headers: { 'content-type': 'text/x' } });

    expect(seen[0]?.headers['content-type']).toBe('text/x');
  });

  test.each([201, 400, 404, 500, 503])('returns an answer with status %i', async (status) => {
    given = { status, body: { Code: 'isv.SOMETHING' } };

    expect(await ask({ url: double.url })).toEqual({ status, body: { Code: 'isv.SOMETHING' } });
  });

  test('accepts JSON with another content type', async () => {
    given = { contentType: 'text/plain', body: { openid: 'o' } };

    expect(await ask({ url: double.url })).toMatchObject({ body: { openid: 'o' } });
  });

  test('accepts an answer of exactly 1 MiB', async () => {
    given = { body: 'x'.repeat(1_048_574) };

    expect((await ask({ url: double.url })).body).toHaveLength(1_048_574);
  });
});

describe('a provider that', () => {
  const reasons: Record<Misbehaviour, string> = {
    hangs: 'timeout',
    'hangs in its body': 'timeout',
    'hangs up': 'unreachable',
    'breaks off': 'unreachable',
    'answers HTML': 'not_json',
    'answers garbage': 'not_json',
    'answers nothing': 'not_json',
    'answers 500 with HTML': 'not_json',
    'answers 502 with JSON': 'none',
    'answers other JSON': 'none',
    redirects: 'redirect',
    'answers too much': 'too_large',
  };

  test.each(misbehaviours.filter((each) => reasons[each] !== 'none'))(
    '%s fails the request',
    async (kind) => {
      const provider = await startMisbehaving(kind);
      const request = {
        url: `${provider.url}/path-word?secret=query-word`,
        headers: { authorization: 'header-word' },
      };
      if (reasons[kind] === 'timeout') {
        stopTime();
        provider.arrived.then(() => jest.advanceTimersByTime(5000));
      }

      const error = await failOf(request);
      jest.useRealTimers();
      await provider.stop();

      expect(error.reason).toBe(reasons[kind]);
      expect(error.cause).toBeUndefined();
      expect(`${error.message}${error.stack}`).not.toMatch(/path-word|query-word|header-word/);
      expect(provider.requests).toBe(1);
    },
  );

  test('does not listen fails the request', async () => {
    await double.stop();

    const error = await failOf({ url: `${double.url}/path-word` });

    expect(error).toMatchObject({
      reason: 'unreachable',
      message: '127.0.0.1 cannot be reached (ECONNREFUSED)',
    });
  });

  test('cannot be named is unreachable', async () => {
    const lookup: LookupFunction = (hostname, _options, callback) =>
      callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' }), '');

    const error = await failOf(
      { url: 'http://nowhere.test/' },
      createRequestJson({ allowPrivate: false, lookup }),
    );

    expect(error).toMatchObject({
      reason: 'unreachable',
      message: 'nowhere.test cannot be reached (ENOTFOUND)',
    });
  });

  test('refuses an invalid header, and does not quote it', async () => {
    const error = await ask({ url: double.url, headers: { authorization: 'header-word\nx: y' } }).catch(
      String,
    );

    expect(error).not.toContain('header-word');
    expect(seen).toEqual([]);
  });
});

describe('connections', () => {
  let server: Server;
  let sockets: Socket[];
  let url: string;
  beforeEach(async () => {
    sockets = [];
    server = createServer((_incoming, response) => response.end('{}'));
    server.on('connection', (socket) => sockets.push(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  test.each(['GET', 'POST'] as const)('that were reset while idle are replaced for %s', async (method) => {
    await ask({ url });
    // Without a break, so that the client notices the reset only when it writes.
    sockets[0]?.resetAndDestroy();

    expect(await ask({ url, method })).toMatchObject({ status: 200 });
    expect(sockets).toHaveLength(2);
  });

  test('that are lost with a POST are replaced, and it is sent again', async () => {
    await ask({ url });
    server.prependOnceListener('request', ({ socket }) => socket.destroy());

    expect(await ask({ url, method: 'POST', body: '{}' })).toMatchObject({ status: 200 });
    expect(sockets).toHaveLength(2);
  });

  test('that time out on a kept socket are not repeated', async () => {
    await ask({ url });
    let requests = 0;
    server.removeAllListeners('request');
    server.on('request', () => {
      requests += 1;
      jest.advanceTimersByTime(5000);
    });
    stopTime();

    const error = await failOf({ url });
    jest.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));

    expect(error.reason).toBe('timeout');
    expect(requests).toBe(1);
  });
});

describe('an address that is not public', () => {
  const guarded = createRequestJson({ allowPrivate: false });
  const at = (host: string) => `${double.url.replace('127.0.0.1', host)}/`;

  test.each(['127.0.0.1', '127.1', '0x7f000001', '2130706433', '0177.0.0.1', '0.0.0.0', '[::1]', '[::]'])(
    'is refused as %s',
    async (host) => {
      expect((await failOf({ url: at(host) }, guarded)).reason).toBe('denied');
      expect(seen).toEqual([]);
    },
  );

  test.each([
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[fd00::1]',
    '169.254.169.254',
    '100.100.100.200',
    '10.0.0.1',
  ])('is refused as %s without a connection', async (host) => {
    expect((await failOf({ url: `https://${host}/`, timeoutMs: 100 }, guarded)).reason).toBe('denied');
  });

  test.each([
    ['loopback', ['127.0.0.1']],
    ['IPv6 loopback', ['::1']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['carrier-grade NAT', ['100.64.0.1']],
    ['a public and a private one', ['93.184.216.34', '127.0.0.1']],
    ['nothing', []],
  ])('is refused where a name resolves to %s', async (_kind, addresses) => {
    const requester = createRequestJson({ allowPrivate: false, lookup: resolver(addresses) });

    const error = await failOf({ url: at('name.test') }, requester);

    expect(error).toMatchObject({
      reason: 'denied',
      message: 'name.test does not resolve to public addresses alone',
    });
    expect(seen).toEqual([]);
  });

  test('is refused at the connection, also if the name was public before', async () => {
    const lookup = resolver('93.184.216.34', '127.0.0.1');
    const requester = createRequestJson({ allowPrivate: false, lookup });
    const url = at('rebinding.test');

    await assertPublicEndpoint(url, { allowPrivate: false, lookup });
    const error = await failOf({ url }, requester);

    expect(error.reason).toBe('denied');
    expect(lookup).toHaveBeenCalledTimes(2);
    expect(seen).toEqual([]);
  });

  test('is reached if private endpoints are allowed', async () => {
    const requester = createRequestJson({ allowPrivate: true, lookup: resolver('127.0.0.1') });

    expect(await requester({ url: at('name.test') })).toMatchObject({ status: 200 });
  });
});

describe('a URL', () => {
  test.each([
    ['of another scheme', 'file:///etc/passwd'],
    ['of a data scheme', 'data:application/json,{}'],
    ['of FTP', 'ftp://127.0.0.1/'],
    ['that is relative', '/path'],
    ['that is empty', ''],
    ['with a password', 'http://user-word:pass-word@127.0.0.1/'],
    ['with a user', 'http://user-word@127.0.0.1/'],
  ])('%s is refused', async (_kind, url) => {
    const error = await failOf({ url });

    expect(error.reason).toBe('url_invalid');
    expect(error.message).not.toMatch(/user-word|pass-word/);
  });

  test('with https is never requested in plain text', async () => {
    const error = await failOf({ url: double.url.replace('http:', 'https:') });

    expect(error.reason).toBe('unreachable');
    expect(seen).toEqual([]);
  });
});
