import { createServer } from 'node:net';

/**
 * Makes sure that a server can listen on a port, so that a busy one is told in one line at the start.
 *
 * @param port - TCP port, 1 to 65535.
 * @param setting - Name of the environment variable that moves the port; default `PORT`.
 * @param host - Address to listen on; default loopback.
 * @throws Error with one line when the port is in use or may not be opened.
 */
export function assertPortFree(port: number, setting = 'PORT', host = '127.0.0.1'): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be opened (${error.code})`;
      reject(new Error(`Port ${port} ${reason}: set ${setting} to another one`, { cause: error }));
    });
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}
