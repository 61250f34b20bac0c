import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { runHeader } from '../wire/requests.ts';

const current = new AsyncLocalStorage<string>();
const channel = 'http.client.request.created';
/** Runs `work`; all its requests carry the name. */
export const named = <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
  current.run(name, work);

/**
 * Adds the current name to every request that leaves this process, so that many runs are possible at a time.
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
