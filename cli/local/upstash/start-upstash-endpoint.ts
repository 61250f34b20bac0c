import { createServer, type Server, type ServerResponse } from 'node:http';
import { answerRequest } from './answer-request.ts';
import type { RedisBackend } from './redis-backend.ts';
import { createScriptAliases } from './script-aliases.ts';

// Longer than clients keep an idle connection, so that they are the ones who close it.
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const STOP_TIMEOUT_MS = 1_000;

/** What {@link startUpstashEndpoint} needs to know. */
export interface UpstashEndpointOptions {
  /** TCP port; default: any free one. */
  readonly port?: number;
  /** Address to listen on; default loopback. */
  readonly host?: string;
  /** The token that clients must send. */
  readonly token: string;
  /** Address of a real Redis; default: a store in this process's memory, its own for each endpoint. */
  readonly redisUrl?: string;
}

/** A server that speaks Upstash's REST protocol. */
export interface UpstashEndpoint {
  readonly url: string;
  /** Ends the server once the requests under way are answered; data in memory is gone. */
  stop(): Promise<void>;
}

/**
 * Starts a server that speaks Upstash's REST protocol: single commands, `/pipeline`, `/multi-exec`, answers in
 * base64. Streams (`/subscribe`, `/monitor`) and RESP2 answers are not offered.
 *
 * @throws Error when the port is in use or the real Redis cannot be reached.
 */
export async function startUpstashEndpoint(options: UpstashEndpointOptions): Promise<UpstashEndpoint> {
  const { port = 0, host = '127.0.0.1', token, redisUrl } = options;
  const backend = await createBackend(redisUrl);
  const context = { token, backend, aliases: createScriptAliases() };
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS, noDelay: true },
    (request, response) => {
      void answerRequest(request, context).then(({ status, body }) => {
        if (!server.listening || !request.complete) response.setHeader('connection', 'close');
        send(response, status, body);
      });
    },
  );
  try {
    await listen(server, port, host);
  } catch (error) {
    await backend.close();
    throw error;
  }
  const address = server.address();
  const actualPort = address !== null && typeof address === 'object' ? address.port : port;
  return {
    url: `http://${host}:${actualPort}`,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const closeAll = setTimeout(() => server.closeAllConnections(), STOP_TIMEOUT_MS);
      await closed;
      clearTimeout(closeAll);
      await backend.close();
    },
  };
}

// Each backend's library takes its time to load; only the one that is used is.
async function createBackend(redisUrl: string | undefined): Promise<RedisBackend> {
  if (redisUrl) return (await import('./remote-backend.ts')).createRemoteBackend(redisUrl);
  return (await import('./embedded/embedded-backend.ts')).createEmbeddedBackend();
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  // As text, which leaves together with the head: bytes would be a write of their own.
  response.end(text);
}
