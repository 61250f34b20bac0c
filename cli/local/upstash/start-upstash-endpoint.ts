import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { isEqual } from '#shared/crypto/equal.ts';
import { close, listen } from '../front.ts';
import { parseRequest, type RedisStore, RequestError, renderOutcome } from './protocol.ts';

/** Longer than the clients' limit, so that clients close idle connections. */
const keepAliveTimeoutMs = 65_000;
const stopTimeoutMs = 1_000;
/** Upstash's limit of a request. */
const maxBodyBytes = 10 * 1024 * 1024;

interface UpstashEndpointOptions {
  /** TCP port of the loopback address. @default a free port */
  readonly port?: number;
  readonly token: string;
  /** Address of a real Redis. @default a store in memory, for this endpoint only */
  readonly redisUrl?: string | undefined;
}

export interface UpstashEndpoint {
  readonly url: string;
  /** Stops after the current requests. Data in memory is lost. */
  stop(): Promise<void>;
}

/**
 * Starts a server with the used part of Upstash's REST protocol: the commands of `shared/cache/protocol.ts`, one at `/`
 * or a list at `/pipeline`.
 *
 * @throws Error if the port is in use or the real Redis cannot be reached
 */
export async function startUpstashEndpoint(options: UpstashEndpointOptions): Promise<UpstashEndpoint> {
  const { port = 0, token, redisUrl } = options;
  const store = await openStore(redisUrl);
  const server = createServer(
    { keepAliveTimeout: keepAliveTimeoutMs, noDelay: true },
    (request, response) => {
      void answer(request, token, store).then(({ status, body }) => {
        if (!server.listening || !request.complete) response.setHeader('connection', 'close');
        send(response, status, body);
      });
    },
  );
  try {
    await listen(server, port, '127.0.0.1');
  } catch (error) {
    await store.close();
    throw error;
  }
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`,
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

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function answer(request: IncomingMessage, token: string, store: RedisStore): Promise<Answer> {
  try {
    return await run(request, token, store);
  } catch (error) {
    if (error instanceof RequestError) return { status: error.status, body: { error: error.message } };
    return { status: 500, body: { error: `ERR ${error instanceof Error ? error.message : error}` } };
  }
}

async function run(request: IncomingMessage, token: string, store: RedisStore): Promise<Answer> {
  const { method, url = '/', headers } = request;
  if (method !== 'POST') throw new RequestError(405, 'method not allowed');
  const [, given = ''] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
  if (!isEqual(given, token)) throw new RequestError(401, 'invalid or missing auth token');
  const body = await buffer(request);
  if (body.length > maxBodyBytes) {
    throw new RequestError(400, `max request size exceeded. Limit: ${maxBodyBytes} bytes`);
  }
  const { isPipeline, commands } = parseRequest(url, body.toString());
  const known = commands.flatMap((command) => ('error' in command ? [] : [command]));
  const outcomes = (await store.run(known)).values();
  const isBase64 = headers['upstash-encoding'] === 'base64';
  const bodies = commands.map((command) => {
    const outcome = 'error' in command ? command : (outcomes.next().value ?? { error: 'ERR no answer' });
    return renderOutcome(outcome, isBase64);
  });
  if (isPipeline) return { status: 200, body: bodies };
  const [only] = bodies;
  return { status: only && 'result' in only ? 200 : 400, body: only };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  // Node sends text together with the head, but bytes separately.
  response.writeHead(status, headers).end(text);
}
