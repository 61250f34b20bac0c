import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy before a store that delays all traffic. */
export interface DelayingProxy {
  url: string;
  /** HTTP requests since the last call. */
  takeRequests(): number;
  stop(): void;
}

// A request's head is written at once, and no JSON body holds a line like its first.
const requestLine = /^(GET|POST|PUT|HEAD) \S+ HTTP\/1\.1\r$/gm;

/**
 * Starts a TCP proxy on a free loopback port. Chunks are delayed in parallel, so a message of several
 * takes no longer than one.
 *
 * @param target URL of the store
 * @param delayMs how long a chunk is held up, in either direction
 */
export async function startDelayingProxy(target: string, delayMs: number): Promise<DelayingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createServer({ noDelay: true }, (client) => {
    const store = connect({ host: hostname, port: Number(port), noDelay: true });
    for (const [socket, other] of [[client, store] as const, [store, client] as const]) {
      sockets.add(socket);
      socket.on('data', (chunk) => setTimeout(() => other.write(chunk), delayMs));
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        setTimeout(() => other.end(), delayMs);
      });
    }
    client.on('data', (chunk) => {
      requests += chunk.toString('latin1').match(requestLine)?.length ?? 0;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeRequests() {
      const taken = requests;
      requests = 0;
      return taken;
    },
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
