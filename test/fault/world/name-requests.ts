import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { runHeader } from '../wire/requests.ts';

const current = new AsyncLocalStorage<string>();
const channel = 'http.client.request.created';
/** Runs `work` so that all requests that it makes carry a name. */
export const named = <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
  current.run(name, work);

/**
 * Makes every request that leaves this process carry the name in which it is made, so that many runs go at a time.
 *
 * @returns ends it
 */
export function nameRequests(): () => void {
  const onRequest = (message: unknown) => {
    const name = current.getStore();
    if (name) (message as { request: ClientRequest }).request.setHeader(runHeader, name);
  };
  subscribe(channel, onRequest);
  return () => unsubscribe(channel, onRequest);
}
