import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Between } from '../../test/support/functions.ts';
import type { Access } from './access.ts';
import { accountCache } from './account-cache.ts';
import { type AskEngine, accountDatabase } from './account-database.ts';

/** Collects what passes both proxies. */
export interface Recorder {
  /** Undefined while nothing is recorded. */
  open?: { accesses: Access[]; commands: number };
  /** Moments at which requests arrived and were answered, in milliseconds; nested ones overlap. */
  spans: { from: number; to: number }[];
}

interface StoreAnswer {
  status: number;
  type: string;
  body: string;
}

const dropped = ['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding'];

async function send(target: string, incoming: IncomingMessage, body: string): Promise<StoreAnswer> {
  const headers = Object.entries(incoming.headers).filter(([name]) => !dropped.includes(name));
  const answer = await fetch(new URL(incoming.url ?? '/', target), {
    method: incoming.method,
    headers: headers.map(([name, value]): [string, string] => [name, String(value)]),
    body,
  });
  const type = answer.headers.get('content-type') ?? 'application/json';
  return { status: answer.status, type, body: await answer.text() };
}

/**
 * A proxy before a store, on a free loopback port, that records each request. A local engine checks no
 * signature, so fields may be added.
 *
 * @param target URL of the store
 */
export async function startRecordingProxy(target: string, recorder: Recorder): Promise<Between> {
  const answer = async (incoming: IncomingMessage, body: string): Promise<StoreAnswer> => {
    const { open } = recorder;
    if (!open) return send(target, incoming, body);
    const operation = incoming.headers['x-amz-target'];
    if (operation) return recordDatabase(String(operation), incoming, body, open.accesses);
    const { commands, accesses } = accountCache(body);
    open.commands += commands;
    open.accesses.push(...accesses);
    return send(target, incoming, body);
  };

  async function recordDatabase(name: string, incoming: IncomingMessage, body: string, accesses: Access[]) {
    const [version, operation = ''] = name.split('.');
    let answered: StoreAnswer = { status: 502, type: 'text/plain', body: '' };
    const ask: AskEngine = async (asked, input) => {
      const headers = { ...incoming.headers, 'x-amz-target': `${version}.${asked}` };
      const request = Object.assign(Object.create(incoming), { headers });
      return JSON.parse((await send(target, request, JSON.stringify(input))).body);
    };
    const input = JSON.parse(body);
    const pass = async (added: object) => {
      answered = await send(target, incoming, JSON.stringify({ ...input, ...added }));
      return JSON.parse(answered.body);
    };
    accesses.push(...(await accountDatabase(operation, input, ask, pass)));
    return answered;
  }

  const server = createServer(async (incoming, response) => {
    const from = performance.now();
    try {
      const body = await text(incoming);
      const { status, type, body: answered } = await answer(incoming, body);
      recorder.spans.push({ from, to: performance.now() });
      response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(answered) });
      response.end(answered);
    } catch (error) {
      console.error(error);
      incoming.socket.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The part of a period without a request under way, in milliseconds. */
export function timeBeside(spans: Recorder['spans'], from: number, to: number): number {
  let [free, at] = [0, from];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    free += Math.max(0, Math.min(span.from, to) - at);
    at = Math.max(at, span.to);
  }
  return free + Math.max(0, to - at);
}
