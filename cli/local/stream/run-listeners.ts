import { streamBatchSize } from '#functions/function-map.ts';
import type { FoundListener } from '#functions/model.ts';
import { serviceName } from '#functions/names.ts';
import type { DynamoDbEngine } from '../dynamodb-engine.ts';
import { followStream } from './follow-stream.ts';
import {
  createEngineRequest,
  enableStream,
  findStream,
  openStream,
  type StartingPosition,
} from './table-stream.ts';

export interface RunOptions {
  engine: Pick<DynamoDbEngine, 'name' | 'endpoint'>;
  tableName: string;
  listeners: readonly FoundListener[];
  /** Port of the gateway's Lambda endpoint at this time. */
  lambdaPort(): number;
  from: StartingPosition;
}

/**
 * Runs the modules' stream listeners on the table of the local stack, from now on. An external engine is taken
 * as it is: if it has no stream, nothing is run.
 *
 * @returns ends them
 */
export async function runListeners(options: RunOptions): Promise<() => Promise<void>> {
  const { engine, tableName, listeners, lambdaPort, from } = options;
  const request = createEngineRequest(engine.endpoint);
  if (engine.name !== 'external') await enableStream(request, tableName);
  const arn = await findStream(request, tableName);
  if (arn === undefined) return async () => {};
  const ends = await Promise.all(
    listeners.map(async ({ listener, functionName }) => {
      const stream = await openStream({ request, arn, from, limit: streamBatchSize });
      const name = `${serviceName}-local-${functionName}`;
      const deliver = (records: object[]) => invokeFunction(lambdaPort(), name, { Records: records });
      return followStream({ stream, listener, deliver });
    }),
  );
  return async () => {
    await Promise.all(ends.map((end) => end()));
  };
}

/**
 * Invokes a function of the running gateway past its routes.
 *
 * @param port of serverless-offline's Lambda endpoint
 * @throws Error if there is no gateway, or the function fails
 */
async function invokeFunction(port: number, name: string, event: object): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/2015-03-31/functions/${name}/invocations`, {
    method: 'POST',
    body: JSON.stringify(event),
  });
  const answer = await response.text();
  if (response.ok && !response.headers.has('x-amz-function-error')) return;
  throw new Error(`${name} failed: ${answer.slice(0, 500)}`);
}
