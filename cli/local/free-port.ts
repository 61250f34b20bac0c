import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the system's own range (from 32768 on Linux, from 49152 elsewhere), so that the system does not give a found
 * port to another process before its use.
 */
const lowest = 16_384;
const highest = 32_767;

/** Finds a free TCP port of the loopback address, but does not reserve it. */
export async function findFreePort(): Promise<number> {
  const port = randomInt(lowest, highest + 1);
  return (await isFree(port)) ? port : findFreePort();
}

/** Whether nothing listens on a port of the loopback address. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
