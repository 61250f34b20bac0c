import { createServer, request as sendRequest } from 'node:http';
import { inAnotherProcess } from '../../support/database.ts';

/**
 * The fate of a request: `cut` drops it before the engine sees it, `lose` lets the engine do it and drops
 * the answer, `conflict` answers with a conflict of transactions, which local engines hardly do.
 */
export type Fate = 'pass' | 'cut' | 'lose' | 'conflict';

// As DynamoDB answers them.
const namespace = 'com.amazonaws.dynamodb.v20120810';
const conflictOfTransaction = JSON.stringify({
  __type: `${namespace}#TransactionCanceledException`,
  message: 'Transaction cancelled, please refer cancellation reasons for specific reasons',
  CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
});
const conflictOfItem = JSON.stringify({
  __type: `${namespace}#TransactionConflictException`,
  message: 'Transaction is ongoing for the item',
});

/** A proxy to the engine that can fail. */
export interface EngineProxy {
  endpoint: string;
  stop(): Promise<void>;
}

/**
 * Starts a proxy in front of an engine.
 *
 * @param target the engine's endpoint
 * @param decide called with the operation of each request, such as `TransactWriteItems`; the request waits for it
 */
export async function startEngineProxy(
  target: string,
  decide: (operation: string) => Fate | Promise<Fate>,
): Promise<EngineProxy> {
  const server = createServer(async (request, response) => {
    const { method, url, headers, socket } = request;
    const operation = String(headers['x-amz-target']).split('.')[1] ?? '';
    const fate = await decide(operation);
    if (fate === 'cut') {
      socket.destroy();
      return;
    }
    if (fate === 'conflict') {
      request.resume();
      const conflict = operation.startsWith('Transact') ? conflictOfTransaction : conflictOfItem;
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(conflict);
      return;
    }
    const forwarded = sendRequest(new URL(url ?? '/', target), { method, headers }, (answer) => {
      if (fate === 'lose') answer.resume().once('end', () => socket.destroy());
      else answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers));
    });
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The engine's endpoint as the environment names it. */
export const engineEndpoint = (): string => String(process.env.DYNAMODB_ENDPOINT);

/** Runs `work` as another process of the service, whose requests to the engine get the decided fates. */
export async function throughProxy(
  decide: (operation: string) => Fate | Promise<Fate>,
  work: () => Promise<void>,
  environment: Record<string, string> = {},
): Promise<void> {
  const proxy = await startEngineProxy(engineEndpoint(), decide);
  try {
    await inAnotherProcess({ ...environment, DYNAMODB_ENDPOINT: proxy.endpoint }, work);
  } finally {
    await proxy.stop();
  }
}
