import { createServer } from 'node:net';

/**
 * Asks the system for a TCP port that nobody listens on.
 *
 * @param host - Address the port is wanted on; default loopback.
 * @returns The port number. Nothing reserves it: another process can take it before the caller does.
 */
export function findFreePort(host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, host, () => {
      const address = probe.address();
      probe.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('The system named no port'));
      });
    });
  });
}
