import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_INTERVAL_MS = 20;

/**
 * Waits until a server answers HTTP.
 *
 * @param endpoint - The server's URL.
 * @param timeoutMs - Longest wait, in milliseconds.
 * @param exited - Settles when the server's process has ended, with what it printed.
 * @throws Error when the process ends first or the time is over.
 */
export async function waitUntilReady(
  endpoint: string,
  timeoutMs: number,
  exited: Promise<{ readonly output: string }>,
): Promise<void> {
  let ended: { readonly output: string } | undefined;
  void exited.then((exit) => {
    ended = exit;
  });
  const deadline = Date.now() + timeoutMs;
  while (!(await isAnswering(endpoint))) {
    if (ended) throw new Error(`ended before it was ready: ${ended.output}`);
    if (Date.now() > deadline) throw new Error(`was not ready within ${timeoutMs} ms`);
    await delay(POLL_INTERVAL_MS);
  }
}

/** Any answer counts, whatever its status: the engines answer 400 to a request without an operation. */
function isAnswering(endpoint: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(endpoint, { agent: false, timeout: 1_000 }, (response) => {
      response.resume();
      resolve(true);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
  });
}
