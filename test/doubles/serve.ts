import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as a provider's double sees it. */
export interface DoubleRequest {
  method: string;
  path: string;
  /** The query string as it came, without the question mark. */
  query: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface DoubleAnswer {
  /** @default 200 */
  status?: number;
  /** @default 'application/json' */
  contentType?: string;
  body: unknown;
}

export interface RunningDouble {
  /** Base URL on loopback, without a trailing slash. */
  url: string;
  stop(): Promise<void>;
}

/** Serves answers as JSON on a free port of loopback. */
export async function serve(
  answer: (request: DoubleRequest) => DoubleAnswer | Promise<DoubleAnswer>,
): Promise<RunningDouble> {
  return serveRaw(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const [path = '/', query = ''] = (incoming.url ?? '/').split('?', 2);
    const { method = 'GET', headers } = incoming;
    const body = Buffer.concat(chunks).toString();
    const given = await answer({ method, path, query, headers, body });
    const { status = 200, contentType = 'application/json' } = given;
    response.writeHead(status, { 'content-type': contentType }).end(JSON.stringify(given.body));
  });
}

/** Hands every request to `handle` as it is; a failure of it cuts the connection. */
export async function serveRaw(
  handle: (incoming: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Promise<RunningDouble> {
  const server = createServer((incoming, response) => {
    Promise.resolve(handle(incoming, response)).catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
