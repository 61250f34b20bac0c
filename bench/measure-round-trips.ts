import type { ChildProcess } from 'node:child_process';
import { receive, startChild } from './child.ts';
import { type DelayingProxy, startDelayingProxy } from './delaying-proxy.ts';
import { fillCache } from './fill-cache.ts';
import { type ByHandler, forEachHandler } from './handlers.ts';
import type { Stack } from './stack.ts';
import { countRoundTrips, percentile } from './statistics.ts';
import type { Subject } from './subject.ts';

/** How a warm function's requests to the stores travel. */
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

export interface TravelResult {
  /** With everything cached. */
  hit: ByHandler<Travel>;
  /** This service with nothing cached; the others read the cache alone. */
  miss: Travel;
}

const delayMs = 60;
const samples = 5;

/** Measures invocations one by one with slow stores: with nothing cached, then with everything. */
export async function measureRoundTrips(subject: Subject, stack: Stack): Promise<TravelResult> {
  const { environment } = stack;
  const redis = await startDelayingProxy(environment.UPSTASH_REDIS_REST_URL ?? '', delayMs);
  const dynamodb = await startDelayingProxy(environment.DYNAMODB_ENDPOINT ?? '', delayMs);
  const slow = { ...environment, UPSTASH_REDIS_REST_URL: redis.url, DYNAMODB_ENDPOINT: dynamodb.url };
  const stores = { redis, dynamodb };
  const take = async (url: string, beforeEach: () => Promise<void>, perRound: number) => {
    const args = [url, subject.invocationFile];
    const child = startChild({ script: 'serve', args, environment: slow });
    try {
      return await takeSamples(child, stores, beforeEach, perRound);
    } finally {
      child.kill();
    }
  };
  try {
    // The next invocation sends the fills of a miss.
    const [miss = [], afterMiss = []] = await take(subject.bundles.ours.url, stack.dropCached, 2);
    await fillCache(subject, stack);
    const hit = await forEachHandler(async (name) => {
      if (name === 'ours') return describe(afterMiss);
      const [taken = []] = await take(subject.bundles[name].url, async () => {}, 1);
      return describe(taken);
    });
    return { hit, miss: describe(miss) };
  } finally {
    redis.stop();
    dynamodb.stop();
  }
}

interface Sample {
  durationMs: number;
  requests: Travel['requests'];
}

/** @returns the samples of every round's first invocation, of its second, and so on */
async function takeSamples(
  child: ChildProcess,
  stores: Record<keyof Travel['requests'], DelayingProxy>,
  beforeEach: () => Promise<void>,
  perRound: number,
): Promise<Sample[][]> {
  const taken: Sample[][] = Array.from({ length: perRound }, () => []);
  // The first round opens the connections and loads the SDK.
  for (let round = 0; round <= samples; round++) {
    await beforeEach();
    for (const of of taken) {
      const sample = await invoke(child, stores);
      if (round > 0) of.push(sample);
    }
  }
  return taken;
}

async function invoke(
  child: ChildProcess,
  { redis, dynamodb }: Record<keyof Travel['requests'], DelayingProxy>,
): Promise<Sample> {
  redis.takeRequests();
  dynamodb.takeRequests();
  child.send('invoke');
  const { statusCode, durationMs } = await receive<{ statusCode: number; durationMs: number }>(child);
  if (statusCode !== 200) throw new Error(`a slow invocation answered ${statusCode}`);
  return { durationMs, requests: { redis: redis.takeRequests(), dynamodb: dynamodb.takeRequests() } };
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
