import { setTimeout as delay } from 'node:timers/promises';
import type { FoundListener } from '#functions/model.ts';
import { serviceName } from '#functions/names.ts';
import { streamBatchSize } from '#functions/stacks/function-map.ts';
import type { StreamListener } from '#shared/module/module.ts';
import type { DynamoDbEngine } from '../dynamodb-engine.ts';
import {
  createEngineRequest,
  enableStream,
  findStream,
  openStream,
  type StartingPosition,
  type StreamRecord,
  type TableStream,
  type Take,
} from './table-stream.ts';

/**
 * Runs the stream listeners of the modules on the local table, until the returned function is called. Does nothing if
 * an external engine has no stream. @param invoke calls a function with an event
 */
export async function runListeners(
  engine: DynamoDbEngine,
  tableName: string,
  from: StartingPosition,
  listeners: readonly FoundListener[],
  invoke: (name: string, event: object) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const request = createEngineRequest(engine.endpoint);
  if (engine.name !== 'external') await enableStream(request, tableName);
  const arn = await findStream(request, tableName);
  if (arn === undefined) return async () => {};
  const ends = await Promise.all(
    listeners.map(async ({ listener, functionName }) => {
      const stream = await openStream(request, arn, from, streamBatchSize);
      const name = `${serviceName}-local-${functionName}`;
      const deliver = (records: object[]) => invoke(name, { Records: records });
      return followStream({ stream, listener, deliver });
    }),
  );
  return async () => {
    await Promise.all(ends.map((end) => end()));
  };
}

/** Consecutive failures before a report. Fewer are normal while the gateway is replaced. */
const failuresBeforeReport = 4;
/** Longest pause, as a multiple of `retryMs`. */
const longestPauses = 16;

export interface FollowOptions {
  stream: TableStream;
  listener: Pick<StreamListener, 'prefixes' | 'maxAgeSeconds'>;
  /** Calls the listener. It is called again after a failure. */
  deliver: Take;
  /** How often an idle stream is read, in milliseconds. @default 250, as Lambda does */
  pollMs?: number;
  /** Pause after the first failure, in milliseconds; each further failure doubles it. @default 1000 */
  retryMs?: number;
}

/**
 * Calls a listener with changes, as the event source mapping of AWS does: filtered, and repeated until it succeeds or
 * the change is too old. @returns stops after the current call
 */
export function followStream(options: FollowOptions): () => Promise<void> {
  const { stream, listener, deliver, pollMs = 250, retryMs = 1_000 } = options;
  const ending = new AbortController();

  async function take(records: StreamRecord[]): Promise<void> {
    const oldest = Date.now() / 1000 - listener.maxAgeSeconds;
    const wanted = records.filter(({ dynamodb: { Keys, ApproximateCreationDateTime: at = 0 } = {} }) => {
      const pk = Keys?.pk?.S ?? '';
      return at >= oldest && listener.prefixes.some((prefix) => pk.startsWith(prefix));
    });
    if (wanted.length > 0) await deliver(wanted);
  }

  async function follow(): Promise<void> {
    let failures = 0;
    while (!ending.signal.aborted) {
      try {
        const count = await stream.read(take);
        failures = 0;
        if (count === 0) await pause(pollMs);
      } catch (error) {
        failures += 1;
        if (failures === failuresBeforeReport)
          console.error('The stream cannot be followed, still trying:', error);
        await pause(retryMs * Math.min(2 ** (failures - 1), longestPauses));
      }
    }
  }

  const pause = (milliseconds: number) =>
    delay(milliseconds, undefined, { signal: ending.signal }).catch(() => {});

  const following = follow();
  return async () => {
    ending.abort();
    await following;
  };
}
