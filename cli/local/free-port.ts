import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the system's own range (from 32768 on Linux, from 49152 elsewhere), so that the system does not give a found
 * port to another process before its use.
 */
const lowest = 16_384;
const highest = 32_767;

const loopback = '127.0.0.1';

/** Finds a TCP port that is free at an address, but does not reserve it. */
export async function findFreePort(host = loopback): Promise<number> {
  const port = randomInt(lowest, highest + 1);
  return (await isFree(port, host)) ? port : findFreePort(host);
}

/** Whether nothing listens on a port of an address. */
export function isFree(port: number, host = loopback): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}

/**
 * A loopback address that cannot be guessed, for servers that answer everybody: a page can try all ports of 127.0.0.1, but
 * not those of 16 million addresses. 127.0.0.1 on systems without the others, such as macOS.
 */
export async function chooseHiddenAddress(): Promise<string> {
  const address = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  return (await isFree(0, address)) ? address : loopback;
}
