import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { commands } from '#shared/cache/protocol.ts';
import { isEqual } from '#shared/crypto/equal.ts';
import { explain } from '../../command.ts';
import { close } from '../front.ts';
import { type Outcome, parseCommands, type RedisStore, renderOutcome } from './protocol.ts';

const malformed =
  'a command is a JSON list of strings, numbers and booleans, beginning with its name; a pipeline is a list of commands';

/** Longer than the clients' limit, so that clients close idle connections. */
const keepAliveTimeoutMs = 65_000;
const stopTimeoutMs = 1_000;
/** Upstash's limit of a request. */
const maxBodyBytes = 10 * 1024 * 1024;

export type UpstashEndpoint = Awaited<ReturnType<typeof startUpstashEndpoint>>;

/**
 * Starts a server with the used part of Upstash's REST protocol: the commands of `shared/cache/protocol.ts`, one at `/`
 * or a list at `/pipeline`.
 *
 * @param options.port of the loopback address; by default a free one
 * @param options.redisUrl address of a real Redis; by default a store in memory, for this endpoint only
 * @throws Error if the port is in use or the real Redis cannot be reached
 */
export async function startUpstashEndpoint({
  port = 0,
  token,
  redisUrl,
}: {
  port?: number;
  token: string;
  redisUrl?: string | undefined;
}) {
  const store = await openStore(redisUrl);
  const server = createServer(
    { keepAliveTimeout: keepAliveTimeoutMs, noDelay: true },
    async (request, response) => {
      const { status, body } = await run(request, token, store).catch((error) => refuse(500, explain(error)));
      if (!server.listening || !request.complete) response.setHeader('connection', 'close');
      const text = JSON.stringify(body);
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
      // Node sends text together with the head, but bytes separately.
      response.writeHead(status, headers).end(text);
    },
  );
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    await store.close();
    throw error;
  }
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`,
    /** Stops after the current requests. Data in memory is lost. */
    async stop() {
      await close(server, stopTimeoutMs);
      await store.close();
    },
  };
}

/** Loads only the library of the used store. */
async function openStore(redisUrl: string | undefined): Promise<RedisStore> {
  if (redisUrl) return (await import('./remote-store.ts')).createRemoteStore(redisUrl);
  return (await import('./memory-store.ts')).createMemoryStore();
}

async function run(request: IncomingMessage, token: string, store: RedisStore) {
  const { method, url = '/', headers } = request;
  if (method !== 'POST') return refuse(405, 'method not allowed');
  const [, given = ''] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
  if (!isEqual(given, token)) return refuse(401, 'invalid or missing auth token');
  const body = await buffer(request);
  if (body.length > maxBodyBytes)
    return refuse(400, `max request size exceeded. Limit: ${maxBodyBytes} bytes`);
  if (url !== '/' && url !== '/pipeline') return refuse(404, 'only / and /pipeline are offered');
  const rows = parseCommands(url, body.toString());
  if (!rows) return refuse(400, malformed);
  const isBase64 = headers['upstash-encoding'] === 'base64';
  const outcomes: Outcome[] = [];
  // One after another. An error is in its place, and does not stop the next commands.
  for (const [word = '', ...args] of rows) {
    outcomes.push(renderOutcome(await runCommand(store, word, args), isBase64));
  }
  if (url === '/pipeline') return { status: 200, body: outcomes };
  const [only] = outcomes;
  return { status: only && 'result' in only ? 200 : 400, body: only };
}

async function runCommand(store: RedisStore, word: string, args: string[]): Promise<Outcome> {
  const name = commands.find((known) => known === word.toLowerCase());
  return name ? store.run(name, args) : { error: `ERR unknown command '${word}'` };
}

const refuse = (status: number, message: string) => ({ status, body: { error: `ERR ${message}` } });
