import { receive, startChild } from './child.ts';
import { startDelayingProxy } from './delaying-proxy.ts';
import type { Stack } from './stack.ts';
import { countRoundTrips, percentile } from './statistics.ts';
import type { Subject } from './subject.ts';

/** How a warm function's reads travel. */
export interface Travel {
  /** Round trips that follow one another. */
  roundTrips: number;
  /** Median, in milliseconds. */
  durationMs: number;
  /** The same, as a multiple of the delay of a round trip. */
  quotient: number;
  /** HTTP requests that each store received for one invocation. */
  requests: { redis: number; dynamodb: number };
}

const delayMs = 60;
const samples = 5;

/** Measures one invocation after another with nothing cached, then with everything, at slow stores. */
export async function measureRoundTrips(
  { ours, invocationFile }: Subject,
  stack: Stack,
): Promise<{ hit: Travel; miss: Travel }> {
  const { environment } = stack;
  const redis = await startDelayingProxy(environment.UPSTASH_REDIS_REST_URL ?? '', delayMs);
  const dynamodb = await startDelayingProxy(environment.DYNAMODB_ENDPOINT ?? '', delayMs);
  const slow = { ...environment, UPSTASH_REDIS_REST_URL: redis.url, DYNAMODB_ENDPOINT: dynamodb.url };
  const child = startChild({ script: 'serve', args: [ours.url, invocationFile], environment: slow });

  async function invoke(): Promise<Sample> {
    redis.takeRequests();
    dynamodb.takeRequests();
    child.send('invoke');
    const { statusCode, durationMs } = await receive<{ statusCode: number; durationMs: number }>(child);
    if (statusCode !== 200) throw new Error(`a slow invocation answered ${statusCode}`);
    return { durationMs, requests: { redis: redis.takeRequests(), dynamodb: dynamodb.takeRequests() } };
  }

  try {
    const misses: Sample[] = [];
    const hits: Sample[] = [];
    // The first round opens the connections and loads the SDK.
    for (let round = 0; round <= samples; round++) {
      await stack.dropCached();
      const miss = await invoke();
      // The fills of the miss ride in front of this one.
      const hit = await invoke();
      if (round > 0) {
        misses.push(miss);
        hits.push(hit);
      }
    }
    return { hit: describe(hits), miss: describe(misses) };
  } finally {
    child.kill();
    redis.stop();
    dynamodb.stop();
  }
}

interface Sample {
  durationMs: number;
  requests: Travel['requests'];
}

function describe(taken: Sample[]): Travel {
  const durations = taken.map((sample) => sample.durationMs);
  const durationMs = percentile(durations, 0.5);
  const most = (store: keyof Travel['requests']) => Math.max(...taken.map(({ requests }) => requests[store]));
  return {
    roundTrips: countRoundTrips(durations, 2 * delayMs),
    durationMs,
    quotient: durationMs / (2 * delayMs),
    requests: { redis: most('redis'), dynamodb: most('dynamodb') },
  };
}
