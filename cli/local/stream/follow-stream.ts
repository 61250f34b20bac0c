import { setTimeout as delay } from 'node:timers/promises';
import type { StreamListener } from '#shared/module/module.ts';
import type { StreamRecord, TableStream, Take } from './table-stream.ts';

/** Failures in a row that are told; fewer are the gateway starting anew. */
const patience = 4;
/** The longest pause after a failure, in pauses after a first one. */
const longestPauses = 16;

export interface FollowOptions {
  stream: TableStream;
  listener: Pick<StreamListener, 'prefixes' | 'maxAgeSeconds'>;
  /** Tells the listener; a failure lets it be told again. */
  deliver: Take;
  /** How often an idle stream is looked at, in milliseconds. @default 250, as Lambda does */
  pollMs?: number;
  /** Pause after a first failure, in milliseconds; it doubles with each that follows. @default 1000 */
  retryMs?: number;
}

/**
 * Tells a listener of what changes, as the event source mapping of AWS does: filtered, until it succeeds or the
 * change is too old.
 *
 * @returns ends it, once what is under way is done
 */
export function followStream(options: FollowOptions): () => Promise<void> {
  const { stream, listener, deliver, pollMs = 250, retryMs = 1_000 } = options;
  const ending = new AbortController();
  let failures = 0;

  async function take(records: StreamRecord[]): Promise<void> {
    const wanted = selectRecords(records, listener);
    if (wanted.length > 0) await deliver(wanted);
  }

  async function follow(): Promise<void> {
    while (!ending.signal.aborted) {
      const count = await attempt();
      if (count === undefined) await pause(retryMs * Math.min(2 ** (failures - 1), longestPauses));
      else if (count === 0) await pause(pollMs);
    }
  }

  /** How many records there were; undefined where it failed. */
  async function attempt(): Promise<number | undefined> {
    try {
      const count = await stream.read(take);
      failures = 0;
      return count;
    } catch (error) {
      failures += 1;
      if (failures === patience) console.error('The stream cannot be followed, still trying:', error);
      return undefined;
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

function selectRecords(
  records: StreamRecord[],
  { prefixes, maxAgeSeconds }: FollowOptions['listener'],
): StreamRecord[] {
  const oldest = Date.now() / 1000 - maxAgeSeconds;
  return records.filter(({ dynamodb }) => {
    const pk = dynamodb?.Keys?.pk?.S ?? '';
    const at = dynamodb?.ApproximateCreationDateTime ?? 0;
    return at >= oldest && prefixes.some((prefix) => pk.startsWith(prefix));
  });
}
