import '../../../support/environment.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LookupFunction, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createGuardedAgents, type Exchange, exchange } from '#shared/net/exchange.ts';
import { OutboundError } from '#shared/net/outbound-error.ts';
import { pour } from '../../../doubles/misbehaving.ts';
import { type RunningDouble, serveRaw } from '../../../doubles/serve.ts';
import { stopTime } from '../../../support/fake-time.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const;
const repeated = ['GET', 'HEAD', 'DELETE'] as const;
const sentOnce = ['POST', 'PUT'] as const;

type Handle = (incoming: IncomingMessage, response: ServerResponse) => void | Promise<void>;
let double: RunningDouble;
/** Methods of the received requests, in order. */
let seen: (string | undefined)[];
let handle: Handle;
const answer: Handle = (_incoming, response) => void response.end('ok');
beforeEach(async () => {
  seen = [];
  handle = answer;
  double = await serveRaw((incoming, response) => {
    seen.push(incoming.method);
    return handle(incoming, response);
  });
});
afterEach(() => double.stop());

const send = (change: Partial<Exchange> = {}, agents = createGuardedAgents({ allowPrivate: true })) =>
  exchange({ url: double.url, timeoutMs: 5000, maxBytes: 1000, ...change }, agents);
async function failOf(sending: Promise<unknown>): Promise<OutboundError> {
  const error = await sending.catch((reason: unknown) => reason);
  if (!(error instanceof OutboundError)) throw new Error(`expected an OutboundError, got ${String(error)}`);
  return error;
}

describe('a request', () => {
  test.each(methods)('by %s arrives unchanged, and returns the answer', async (method) => {
    let body: Buffer | undefined;
    let headers: IncomingMessage['headers'] = {};
    handle = async (incoming, response) => {
      body = await buffer(incoming);
      headers = incoming.headers;
      response.writeHead(404, { 'x-answer': 'b' }).end(Buffer.from([0, 255]));
    };
    const parts = [Buffer.from([255, 0]), Buffer.from('ab')];

    const got = await send({ method, headers: { 'X-Test': 'a' }, body: parts });

    expect(got).toMatchObject({ status: 404, headers: { 'x-answer': 'b' } });
    expect([...got.bytes]).toEqual(method === 'HEAD' ? [] : [0, 255]);
    expect([...(body ?? [])]).toEqual([255, 0, 97, 98]);
    expect(headers).toMatchObject({ 'x-test': 'a', 'content-length': '4' });
    expect(seen).toEqual([method]);
  });

  test('is not sent if no time is left', async () => {
    for (const timeoutMs of [0, -1]) {
      expect(await failOf(send({ timeoutMs }))).toMatchObject({ reason: 'timeout' });
    }
    await send();
    expect(seen).toEqual(['GET']);
  });

  test.each(methods)('by %s reaches no private address', async (method) => {
    const lookup: LookupFunction = (_name, options, callback) => {
      if (options.all) callback(null, [{ address: '127.0.0.1', family: 4 }]);
      else callback(null, '127.0.0.1', 4);
    };
    const agents = createGuardedAgents({ allowPrivate: false, lookup });
    const url = double.url.replace('127.0.0.1', 'name.test');

    expect((await failOf(send({ method }, agents))).reason).toBe('denied');
    expect((await failOf(send({ method, url }, agents))).reason).toBe('denied');
    expect(seen).toEqual([]);
  });
});

describe('an answer', () => {
  test.each([301, 302, 304, 307])('of %i is refused, and not followed', async (status) => {
    handle = (_incoming, response) => void response.writeHead(status, { location: '/elsewhere' }).end();

    expect(await failOf(send())).toMatchObject({ reason: 'redirect', status });
    expect(seen).toHaveLength(1);
  });

  test('may be as long as its limit', async () => {
    handle = (_incoming, response) => void response.end('x'.repeat(1000));

    expect((await send()).bytes).toHaveLength(1000);
    expect(await failOf(send({ maxBytes: 999 }))).toMatchObject({ reason: 'too_large', status: 200 });
  });

  test.each([true, false])('without an end is closed at the limit, cut off: %j', async (isCut) => {
    const closed = Promise.withResolvers<unknown>();
    handle = ({ socket }, response) => {
      socket.once('close', closed.resolve);
      pour(response);
    };

    const got = await send({ isCut }).catch((error: OutboundError) => error.reason);

    await closed.promise;
    expect(got).toEqual(isCut ? expect.objectContaining({ status: 200 }) : 'too_large');
  });

  test('that breaks off is an error', async () => {
    handle = ({ socket }, response) => {
      response.writeHead(200, { 'content-length': '9' }).write('half', () => socket.destroy());
    };

    expect(await failOf(send())).toMatchObject({ reason: 'unreachable', status: 200 });
  });
});

describe('a connection', () => {
  let agents = createGuardedAgents({ allowPrivate: true });
  let sockets: Set<Socket>;
  /** Answers on new connections, and breaks kept connections. */
  const lose: Handle = (incoming, response) => {
    if (sockets.has(incoming.socket)) return void incoming.socket.destroy();
    sockets.add(incoming.socket);
    return answer(incoming, response);
  };
  beforeEach(async () => {
    agents = createGuardedAgents({ allowPrivate: true });
    sockets = new Set();
    handle = lose;
    // Two kept connections.
    await Promise.all([send({}, agents), send({}, agents)]);
    seen = [];
  });

  test('is kept for the next request', async () => {
    handle = ({ socket }, response) => {
      sockets.add(socket);
      response.end();
    };
    for (const method of repeated) await send({ method }, agents);

    expect(sockets.size).toBe(2);
  });

  test.each(repeated)('that was lost while it was kept is replaced for %s', async (method) => {
    expect(await send({ method }, agents)).toMatchObject({ status: 200 });
    // A kept connection, and a new one.
    expect(seen).toEqual([method, method]);
  });

  test.each(sentOnce)('is a new one for each %s, which is sent once', async (method) => {
    for (let count = 0; count < 2; count += 1) {
      expect(await send({ method, body: [Buffer.from('x')] }, agents)).toMatchObject({ status: 200 });
    }
    expect(seen).toEqual([method, method]);
  });

  test.each(sentOnce)('is replaced for %s if that may be carried out twice', async (method) => {
    const sending = send({ method, body: [Buffer.from('x')], isRepeatable: true }, agents);

    expect(await sending).toMatchObject({ status: 200 });
    expect(seen).toEqual([method, method]);
  });

  test.each(methods)('that is lost while it is new fails %s, which is sent once', async (method) => {
    handle = ({ socket }) => void socket.destroy();

    expect((await failOf(send({ method }))).reason).toBe('unreachable');
    expect(seen).toEqual([method]);
  });

  test.each(['GET', 'DELETE', ...sentOnce] as const)(
    'that is lost in an answer fails %s, which is sent once',
    async (method) => {
      handle = ({ socket }, response) => {
        response.writeHead(200, { 'content-length': '9' }).write('half', () => socket.resetAndDestroy());
      };

      const failure = await failOf(send({ method, isRepeatable: true, body: [Buffer.from('x')] }, agents));
      await new Promise((resolve) => setImmediate(resolve));

      expect(failure.reason).toBe('unreachable');
      expect(seen).toEqual([method]);
    },
  );

  test('shares one timeout with those that replace it', async () => {
    const [first, last] = [Promise.withResolvers<Socket>(), Promise.withResolvers<unknown>()];
    handle = ({ socket }) => {
      if (seen.length === 1) first.resolve(socket);
      else if (sockets.has(socket)) socket.destroy();
      else last.resolve(undefined);
    };
    stopTime();
    let isOver = false;
    const failing = failOf(send({ timeoutMs: 1000 }, agents)).finally(() => {
      isOver = true;
    });

    const socket = await first.promise;
    jest.advanceTimersByTime(600);
    socket.destroy();
    await last.promise;
    jest.advanceTimersByTime(399);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    jest.advanceTimersByTime(1);
    const { reason } = await failing;
    jest.useRealTimers();

    expect(reason).toBe('timeout');
  });
});
