import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_INTERVAL_MS = 20;

/**
 * Waits until a server answers HTTP.
 *
 * @param endpoint - The server's URL.
 * @param timeoutMs - Longest wait, in milliseconds.
 * @param exited - Settles when the server's process has ended, with what it printed.
 * @param header - A header of all its answers, in lower case: those of another kind of server do not count.
 * @throws Error when the process ends first or the time is over.
 */
export async function waitUntilReady(
  endpoint: string,
  timeoutMs: number,
  exited: Promise<{ readonly output: string }>,
  header: string,
): Promise<void> {
  let ended: { readonly output: string } | undefined;
  void exited.then((exit) => {
    ended = exit;
  });
  const deadline = Date.now() + timeoutMs;
  while (!(await isAnswering(endpoint, header))) {
    if (ended) throw new Error(`ended before it was ready: ${ended.output}`);
    if (Date.now() > deadline) throw new Error(`was not ready within ${timeoutMs} ms`);
    await delay(POLL_INTERVAL_MS);
  }
}

/** Whatever its status is: an engine may answer 400 to a request without an operation. */
function isAnswering(endpoint: string, header: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(endpoint, { agent: false, timeout: 1_000 }, (response) => {
      response.resume();
      resolve(header in response.headers);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
  });
}
