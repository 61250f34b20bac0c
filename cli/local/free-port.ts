import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the system's own range (from 32768 on Linux, from 49152 elsewhere), so that the system does not give a found
 * port to another process before its use.
 */
const lowest = 16_384;
const highest = 32_767;
const attempts = 100;

/**
 * Finds a free TCP port of the loopback address, but does not reserve it.
 *
 * @returns a random port from 16,384 to 32,767
 * @throws Error if a hundred ports are in use
 */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = randomInt(lowest, highest + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`None of ${attempts} ports is free`);
}

/** Whether nothing listens on a port of the loopback address. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
