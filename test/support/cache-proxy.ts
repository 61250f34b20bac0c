import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Command = (string | number)[];

/** The proxy forwards requests, leaves them unanswered, or cuts the connection. */
export type CacheMode = 'pass' | 'hang' | 'refuse';

/** A stand-in between the service and its cache. */
export interface CacheProxy {
  url: string;
  mode: CacheMode;
  /** How long fills are held back, in milliseconds, asked for each. */
  fillDelayMs(): number;
  /** Requests that came in so far. */
  requests: number;
  stop(): Promise<void>;
}

/**
 * Passes pipelines on to an Upstash endpoint. Fills are answered at once and carried out late, so that they arrive
 * after other changes.
 *
 * @param prefix of the keys of entries whose fills are held back; by default those of dictionaries
 */
export async function startCacheProxy(
  target: string,
  token: string,
  prefix = 'service:dict:type:',
): Promise<CacheProxy> {
  const isFill = ([name, key, , ...options]: Command) =>
    name === 'SET' && String(key).startsWith(prefix) && !options.includes('NX');
  const forward = async (commands: Command[]): Promise<unknown[]> => {
    if (commands.length === 0) return [];
    const response = await fetch(`${target}/pipeline`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(commands),
    });
    return response.json() as Promise<unknown[]>;
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    proxy.requests += 1;
    if (proxy.mode === 'refuse') return void request.socket.destroy();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (proxy.mode === 'hang') return;
    const commands: Command[] = JSON.parse(Buffer.concat(chunks).toString());
    const rest = commands.filter((command) => !isFill(command));
    for (const fill of commands.filter(isFill)) {
      setTimeout(() => forward([fill]).catch(() => {}), proxy.fillDelayMs());
    }
    const replies = await forward(rest);
    const all = commands.map((command) => (isFill(command) ? { result: 'OK' } : replies.shift()));
    response.end(JSON.stringify(all));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const proxy: CacheProxy = {
    url: `http://127.0.0.1:${port}`,
    mode: 'pass',
    fillDelayMs: () => 0,
    requests: 0,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}
