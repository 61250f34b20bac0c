import { readFileSync } from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterEach, expect, test } from '@jest/globals';
import { CacheUnavailableError, type Reply } from '#shared/cache/protocol.ts';
import { createTransport } from '#shared/cache/transport.ts';

const running: Server[] = [];
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(running.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

/** A request with its connection. */
interface Asked {
  /** The raw head. */
  head: string;
  body: string;
  /** Number of requests of this connection, including this one. */
  turn: number;
  /** Number of connections so far. */
  connections: number;
  socket: Socket;
}

/** A server that answers by raw sockets, one whole request at a time. */
async function serve(answer: (asked: Asked) => void): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    let text = '';
    let turn = 0;
    socket.on('error', () => {});
    socket.on('data', (part) => {
      text += part.toString();
      const [head = '', body] = text.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/.exec(head)?.[1]);
      if (body === undefined || Buffer.byteLength(body) < length) return;
      text = '';
      turn += 1;
      asked.push({ head, body, turn, connections, socket });
      answer({ head, body, turn, connections, socket });
    });
  });
  running.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const replies: Reply[] = [{ result: '值' }];
const render = (status = 200, body = JSON.stringify(replies)) =>
  `HTTP/1.1 ${status} X\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const brokenChunk = 'HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n';
const open = (url: string, timeoutMs = 5_000) => createTransport({ url, token: 'secret', timeoutMs });

test('sends commands with the token, and reads their replies', async () => {
  const { url, asked } = await serve(({ socket }) => socket.write(render()));

  expect(await open(`${url}/base`)([['SET', 'k', '值']])).toEqual(replies);

  expect(asked[0]?.body).toBe('[["SET","k","值"]]');
  expect(asked[0]?.head.split('\r\n')).toEqual([
    'POST /base/pipeline HTTP/1.1',
    'authorization: Bearer secret',
    'content-type: application/json',
    `Host: ${new URL(url).host}`,
    `content-length: ${Buffer.byteLength('[["SET","k","值"]]')}`,
    'Connection: keep-alive',
  ]);
});

test('keeps a connection for the next request, and opens others for parallel ones', async () => {
  const { url, asked } = await serve(({ socket }) => socket.write(render()));
  const transport = open(url);

  await transport([['PING']]);
  await transport([['PING']]);
  await Promise.all([transport([['PING']]), transport([['PING']]), transport([['PING']])]);

  expect(asked.map(({ turn }) => turn).slice(0, 2)).toEqual([1, 2]);
  expect(asked.at(-1)?.connections).toBe(3);
});

test('opens another connection if the kept one was closed between requests', async () => {
  const { url, asked } = await serve(({ socket, turn }) => {
    socket.write(render());
    if (turn === 1) socket.end();
  });
  const transport = open(url);
  await transport([['PING']]);
  await new Promise((resolve) => asked[0]?.socket.once('close', resolve));

  await transport([['PING']]);

  expect(asked.map(({ turn }) => turn)).toEqual([1, 1]);
});

test.each(['destroy', 'resetAndDestroy', 'end'] as const)(
  'sends once more if a kept connection is lost before an answer: %s',
  async (how) => {
    const { url, asked } = await serve(({ socket, turn, connections }) => {
      if (turn === 2 && connections === 1) socket[how]();
      else socket.write(render());
    });
    const transport = open(url);
    await transport([['PING']]);

    expect(await transport([['GET', 'k']])).toEqual(replies);

    expect(asked.map(({ body }) => body)).toEqual(['[["PING"]]', '[["GET","k"]]', '[["GET","k"]]']);
  },
);

test('sends only once more, also if several kept connections are lost', async () => {
  let isGone = false;
  const { url, asked } = await serve(({ socket }) => (isGone ? socket.destroy() : socket.write(render())));
  const transport = open(url);
  await Promise.all([1, 2, 3, 4].map(() => transport([['PING']])));
  isGone = true;

  await expect(transport([['INCR', 'k']])).rejects.toBeInstanceOf(CacheUnavailableError);

  expect(asked.filter(({ body }) => body.includes('INCR'))).toHaveLength(2);
});

test.each([
  ['a new connection is lost', (socket: Socket) => socket.destroy()],
  ['an answer is cut', (socket: Socket) => socket.end(render().slice(0, -3))],
  ['a chunk of an answer is broken', (socket: Socket) => socket.write(brokenChunk)],
  ['an answer is not HTTP', (socket: Socket) => socket.write('+PONG\r\n\r\n')],
  ['an answer is no JSON', (socket: Socket) => socket.write(render(200, '<html>'))],
  ['an answer is no list', (socket: Socket) => socket.write(render(200, '{"error":"x"}'))],
  ['the status is another', (socket: Socket) => socket.write(render(429))],
])('is unavailable, and sends only once, if %s', async (_what, answer) => {
  const { url, asked } = await serve(({ socket }) => answer(socket));

  await expect(open(url)([['PING']])).rejects.toBeInstanceOf(CacheUnavailableError);

  expect(asked).toHaveLength(1);
});

test('does not send again after half an answer over a kept connection', async () => {
  const { url, asked } = await serve(({ socket, turn }) => {
    if (turn === 1) socket.write(render());
    else socket.end(render().slice(0, 20));
  });
  const transport = open(url);
  await transport([['PING']]);

  await expect(transport([['INCR', 'k']])).rejects.toBeInstanceOf(CacheUnavailableError);

  expect(asked).toHaveLength(2);
});

test('gives up in time, and does not use that connection again', async () => {
  const { url, asked } = await serve(({ socket, connections }) => {
    if (connections > 1) socket.write(render());
  });
  const transport = open(url, 50);

  const refused = await transport([['PING']]).catch((error: CacheUnavailableError) => error);
  expect(refused).toMatchObject({
    name: 'CacheUnavailableError',
    cause: { message: expect.stringMatching(/in 50 ms/) },
  });

  expect(await transport([['PING']])).toEqual(replies);
  expect(asked.map(({ turn }) => turn)).toEqual([1, 1]);
});

test('drops all kept connections after one of them did not answer', async () => {
  let isDeaf = false;
  const { url, asked } = await serve(({ socket, turn }) => {
    if (!isDeaf || turn === 1) socket.write(render());
  });
  const transport = open(url, 100);
  await Promise.all([1, 2, 3].map(() => transport([['PING']])));
  isDeaf = true;

  await expect(transport([['GET', 'k']])).rejects.toBeInstanceOf(CacheUnavailableError);

  expect(await transport([['GET', 'l']])).toEqual(replies);
  expect(asked.map(({ turn }) => turn)).toEqual([1, 1, 1, 2, 1]);
});

test('is unavailable if no server listens', async () => {
  await expect(open('http://127.0.0.1:9')([['PING']])).rejects.toBeInstanceOf(CacheUnavailableError);
});

test('speaks TLS only to a host with a trusted certificate', async () => {
  const read = (name: string) => readFileSync(join(__dirname, '../../../fixtures/tls', name), 'utf8');
  const cert = read('certificate.pem');
  let handshakes = 0;
  let resumed = 0;
  const server = createSecureServer({ key: read('key.pem'), cert }, (request, response) => {
    request.resume().on('end', () => {
      response.setHeader('connection', 'close').end(JSON.stringify(replies));
    });
  });
  server.on('secureConnection', (socket) => {
    handshakes += 1;
    if (socket.isSessionReused()) resumed += 1;
  });
  running.push(server);
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;

  await expect(open(url)([['PING']])).rejects.toBeInstanceOf(CacheUnavailableError);

  const before = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...before, cert]);
  try {
    const transport = open(url);
    expect(await transport([['PING']])).toEqual(replies);
    expect(await transport([['PING']])).toEqual(replies);
    expect([handshakes, resumed]).toEqual([2, 1]);
  } finally {
    tls.setDefaultCACertificates(before);
  }
});
