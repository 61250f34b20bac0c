import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below what systems hand out by themselves (from 32768 on Linux, from 49152 elsewhere): whoever listens on port 0,
 * or connects to somewhere, never takes a port that was found here and is not listened on yet.
 */
const lowest = 16_384;
const highest = 32_767;
const attempts = 100;

/**
 * Finds a TCP port of the loopback address that nobody listens on.
 *
 * @returns from 16,384 to 32,767, at random. Nothing reserves it: another process can take it before the caller does
 * @throws Error when a hundred ports are in use
 */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = randomInt(lowest, highest + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`None of ${attempts} ports is free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
