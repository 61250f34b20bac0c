import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/**
 * How long an unused connection stays open, in milliseconds: longer than clients keep theirs. A server that closes first
 * can meet the next request, which then fails.
 */
const keepAliveTimeout = 65_000;

/** The server for clients. It keeps running while the gateway behind it is replaced. */
export type Front = Awaited<ReturnType<typeof openFront>>;

/**
 * Listens on addresses of this machine; all but the first are skipped if the system does not have them. Requests wait
 * for `settled`. @throws Error in one line if the port is in use
 */
export async function openFront(port: number, hosts: readonly string[], settled: () => Promise<void>) {
  let behind: Server | undefined;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    await settled();
    behind?.emit('request', request, response);
  };
  const servers: Server[] = [];
  for (const host of hosts) {
    const server = createServer({ keepAliveTimeout }, answer);
    try {
      await once(server.listen(port, host), 'listening');
      servers.push(server);
    } catch (error) {
      const code = String(Object(error).code);
      const isMissing = servers.length > 0 && ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(code);
      if (isMissing) continue;
      for (const each of servers) each.close();
      const reason = code === 'EADDRINUSE' ? 'is in use' : `cannot be opened (${code})`;
      throw new Error(`Port ${port} ${reason}: set PORT to another one`, { cause: error });
    }
  }
  return {
    use(listener: Server): void {
      behind = listener;
    },
    async close(): Promise<void> {
      await Promise.all(servers.map((server) => close(server)));
    },
  };
}

/** Closes a server after the current requests, or after the timeout. */
export async function close(server: Server, timeoutMs = 3_000): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await closed;
  clearTimeout(timer);
}
