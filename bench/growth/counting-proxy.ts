import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { addReads, countReads, noReads, type Reads } from './reads.ts';

/** A proxy before the database that counts reads. */
export interface CountingProxy {
  url: string;
  /** Reads since the last call. */
  takeReads(): Reads;
  stop(): void;
}

/**
 * Starts an HTTP proxy on a free loopback port, which requests the consumed capacity of each read. An
 * engine on this machine checks no signature, so that requests may be changed.
 *
 * @param target URL of the engine
 */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  let taken = noReads;
  const server = createServer(async (request, response) => {
    const body = { ...JSON.parse(await text(request)), ReturnConsumedCapacity: 'TOTAL' };
    const answer = await fetch(target, {
      method: 'POST',
      headers: pick(request),
      body: JSON.stringify(body),
    });
    const answered = await answer.text();
    taken = addReads(taken, countReads(JSON.parse(answered)));
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' }).end(answered);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeReads() {
      const reads = taken;
      taken = noReads;
      return reads;
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The headers that the engine reads. */
function pick({ headers }: IncomingMessage): Record<string, string> {
  const names = ['content-type', 'x-amz-target', 'x-amz-date', 'authorization'];
  return Object.fromEntries(names.map((name) => [name, String(headers[name] ?? '')]));
}
