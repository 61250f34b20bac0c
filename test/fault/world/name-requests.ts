import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { Socket } from 'node:net';
import { runHeader } from '../wire/requests.ts';

const current = new AsyncLocalStorage<string>();
const channel = 'http.client.request.created';
/** What the clients of the stores write themselves, each request in one piece. */
const requestLine = /^POST \/(?:pipeline HTTP\/1\.1| HTTP\/1\.1(?=.*\r\nx-amz-target:))\r\n/s;

/** Runs `work` so that all requests that it makes carry a name. */
export const named = <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
  current.run(name, work);

/**
 * Makes every request that leaves this process carry the name in which it is made, so that many runs go at a time.
 *
 * @returns ends it
 */
export function nameRequests(): () => void {
  const { write } = Socket.prototype;
  const onRequest = (message: unknown) => {
    const name = current.getStore();
    if (name) (message as { request: ClientRequest }).request.setHeader(runHeader, name);
  };
  subscribe(channel, onRequest);
  Socket.prototype.write = function (this: Socket, chunk: string | Uint8Array, ...rest: []) {
    const name = typeof chunk === 'string' && current.getStore();
    const told = name
      ? String(chunk).replace(requestLine, (line) => `${line}${runHeader}: ${name}\r\n`)
      : chunk;
    return write.call(this, told, ...rest);
  };
  return () => {
    unsubscribe(channel, onRequest);
    Socket.prototype.write = write;
  };
}
