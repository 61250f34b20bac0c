import { Agent, createServer, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Between } from '../support/functions.ts';
import { describeRequest } from './describe-request.ts';
import type { Waves } from './waves.ts';

interface StoreAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** A proxy before a store that forwards requests in waves. */
export async function startStoreProxy(target: string, waves: Waves): Promise<Between> {
  const agent = new Agent({ keepAlive: true });

  const ask = (incoming: IncomingMessage, body: Buffer): Promise<StoreAnswer> =>
    new Promise((resolve, reject) => {
      const { method, url = '/', headers } = incoming;
      const outgoing = send(new URL(url, target), { method, headers, agent }, (response) => {
        const { statusCode: status = 502, headers: answered } = response;
        buffer(response).then((bytes) => resolve({ status, headers: answered, body: bytes }), reject);
      });
      outgoing.on('error', reject).end(body);
    });

  const server = createServer(async (incoming, response) => {
    try {
      const body = await buffer(incoming);
      const text = describeRequest(incoming.headers['x-amz-target'], body.toString());
      const answer = await waves.pass(text, () => ask(incoming, body));
      const { 'transfer-encoding': _chunked, ...headers } = answer.headers;
      response.writeHead(answer.status, { ...headers, 'content-length': answer.body.length });
      response.end(answer.body);
    } catch {
      incoming.socket.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      agent.destroy();
      server.close();
      server.closeAllConnections();
    },
  };
}
