import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** Connections are forwarded, left without an answer, or cut. */
export type ProxyMode = 'pass' | 'hang' | 'refuse';

/** A stand-in between the service and one of its stores. */
export interface ToggleProxy {
  url: string;
  setMode(mode: ProxyMode): void;
  stop(): Promise<void>;
}

/** Forwards TCP connections to a store, until its mode is changed; open connections follow the mode too. */
export async function startToggleProxy(target: string): Promise<ToggleProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let mode: ProxyMode = 'pass';

  const server = createServer((client) => {
    sockets.add(client);
    client.on('close', () => sockets.delete(client)).on('error', () => {});
    if (mode === 'refuse') return void client.destroy();
    if (mode === 'hang') return void client.resume();
    const upstream = connect(Number(port), hostname);
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
    client.on('data', (chunk) => {
      if (mode === 'pass') upstream.write(chunk);
      if (mode === 'refuse') client.destroy();
    });
    upstream.on('data', (chunk) => {
      if (mode === 'pass') client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    setMode(next) {
      mode = next;
      if (next !== 'hang') cut();
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}
