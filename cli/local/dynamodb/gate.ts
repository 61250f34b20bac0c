import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { isEqual } from '#shared/crypto/equal.ts';
import { close } from '../front.ts';

/** Longer than clients keep unused connections, so that they close first. */
const keepAliveTimeout = 65_000;
const stopTimeoutMs = 1_000;

const refusal = JSON.stringify({
  __type: 'com.amazon.coral.service#AccessDeniedException',
  Message: 'The local database needs the key of this start; stack.json in DATA_DIR has it',
});

export type DatabaseGate = Awaited<ReturnType<typeof openGate>>;

/**
 * Listens before a local database engine, which would answer everybody, also pages of other origins. Passes on
 * requests with the key, which is the path of the endpoint; requests of browsers have an `Origin` and are refused.
 *
 * @param engine the engine's own endpoint
 * @returns `endpoint` with a new key, which allows to read and write everything
 */
export async function openGate(engine: string) {
  const key = randomBytes(32).toString('base64url');
  const agent = new Agent({ keepAlive: true });
  const server = createServer({ keepAliveTimeout, noDelay: true }, (incoming, response) => {
    const [, given = ''] = /^\/([^/?]+)\/?$/.exec(incoming.url ?? '') ?? [];
    const isAllowed = isEqual(given, key) && incoming.headers.origin === undefined;
    if (isAllowed) passOn(engine, agent, incoming, response);
    else
      response
        .writeHead(403, { 'content-type': 'application/x-amz-json-1.0', connection: 'close' })
        .end(refusal);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    endpoint: `http://127.0.0.1:${port}/${key}`,
    /** Stops after the current requests. */
    async stop(): Promise<void> {
      await close(server, stopTimeoutMs);
      agent.destroy();
    },
  };
}

function passOn(engine: string, agent: Agent, incoming: IncomingMessage, response: ServerResponse): void {
  const { method, headers } = incoming;
  // The client sees a lost connection, as it would without the gate, and tries again.
  const fail = () => response.destroy();
  const outgoing = request(engine, { method, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on('error', fail).pipe(response);
  });
  outgoing.on('error', fail);
  incoming.on('error', () => outgoing.destroy()).pipe(outgoing);
  response.on('close', () => {
    if (!response.writableFinished) outgoing.destroy();
  });
}
