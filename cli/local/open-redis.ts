import { startUpstashEndpoint } from './upstash/start-upstash-endpoint.ts';

/** The cache of the local stack. */
export interface LocalRedis {
  /** What the functions need to know of it. */
  environment: NodeJS.ProcessEnv;
  /** Whether it starts empty; one that runs elsewhere may hold what was changed while nothing here ran. */
  isEmpty: boolean;
  /** Ends what was started here. */
  close(): Promise<void>;
}

/** Takes the cache that the environment names, or starts one. @param token that clients of a new one send */
export async function openRedis(token: string): Promise<LocalRedis> {
  const { UPSTASH_REDIS_REST_URL, UPSTASH_REDIS_REST_TOKEN, REDIS_URL } = process.env;
  if (UPSTASH_REDIS_REST_URL) {
    const environment = { UPSTASH_REDIS_REST_URL, UPSTASH_REDIS_REST_TOKEN };
    return { environment, isEmpty: false, close: async () => {} };
  }
  const endpoint = await startUpstashEndpoint({ token, redisUrl: REDIS_URL || undefined });
  const environment = { UPSTASH_REDIS_REST_URL: endpoint.url, UPSTASH_REDIS_REST_TOKEN: token };
  return { environment, isEmpty: !REDIS_URL, close: () => endpoint.stop() };
}
