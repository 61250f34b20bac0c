import type { FoundListener } from '#functions/model.ts';
import { serviceName } from '#functions/names.ts';
import { streamBatchSize } from '#functions/stream-event.ts';
import type { DynamoDbEngine } from '../dynamodb-engine.ts';
import { createEngineRequest } from './engine-request.ts';
import { enableStream, findStream } from './find-stream.ts';
import { followStream } from './follow-stream.ts';
import { invokeFunction } from './invoke-function.ts';
import { openStream, type StartingPosition } from './open-stream.ts';

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
 * as it is: without a stream nothing is run.
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
