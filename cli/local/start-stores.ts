import { readLocalSecrets, rememberStack } from './data-directory.ts';
import { type DynamoDbEngine, startDynamoDbEngine } from './dynamodb-engine.ts';
import { startUpstashEndpoint } from './upstash/start-upstash-endpoint.ts';

/** Database and cache of the local server. */
export interface LocalStores {
  engine: DynamoDbEngine;
  /** Settings that functions and commands find the stores by. They are set in this process too. */
  environment: Record<'DATA_DIR' | 'STORAGE_DIR' | 'TABLE_NAME', string>;
  /** Whether the cache starts empty. */
  isCacheEmpty: boolean;
  /** Settles with the reason if a store has ended by itself. */
  exited: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts the stores on a data directory, and writes down how commands find them.
 *
 * @param dataDir an existing folder
 * @param port of the local server, for its default `PUBLIC_URL`
 */
export async function startStores(dataDir: string, port: number): Promise<LocalStores> {
  const secrets = readLocalSecrets(dataDir);
  const engine = await startDynamoDbEngine({ dataDir, environment: process.env });
  const redis = await openRedis(secrets.redisToken).catch(async (error) => {
    await engine.stop();
    throw error;
  });
  const environment = {
    APP_KEY: process.env.APP_KEY || secrets.appKey,
    DATA_DIR: dataDir,
    STORAGE_DIR: process.env.STORAGE_DIR || dataDir,
    DYNAMODB_ENDPOINT: engine.endpoint,
    PUBLIC_URL: process.env.PUBLIC_URL || `http://localhost:${port}`,
    TABLE_NAME: process.env.TABLE_NAME || 'backend-local',
    ...redis.environment,
  };
  Object.assign(process.env, environment);
  rememberStack(dataDir, port, environment);
  return {
    engine,
    environment,
    isCacheEmpty: redis.isEmpty,
    exited: engine.exited.then(() => `the ${engine.name} engine ended by itself`),
    async stop() {
      await redis.close();
      await engine.stop();
    },
  };
}

/** The cache of the local stack. */
interface LocalRedis {
  /** Settings that functions find it by. */
  environment: NodeJS.ProcessEnv;
  /** Whether it starts empty. One that runs elsewhere may hold stale entries. */
  isEmpty: boolean;
  /** Ends what was started here. */
  close(): Promise<void>;
}

/** Takes the cache that the environment names, or starts one. @param token that clients of a new one send */
async function openRedis(token: string): Promise<LocalRedis> {
  const { UPSTASH_REDIS_REST_URL, UPSTASH_REDIS_REST_TOKEN, REDIS_URL } = process.env;
  if (UPSTASH_REDIS_REST_URL) {
    const environment = { UPSTASH_REDIS_REST_URL, UPSTASH_REDIS_REST_TOKEN };
    return { environment, isEmpty: false, close: async () => {} };
  }
  const endpoint = await startUpstashEndpoint({ token, redisUrl: REDIS_URL || undefined });
  const environment = { UPSTASH_REDIS_REST_URL: endpoint.url, UPSTASH_REDIS_REST_TOKEN: token };
  return { environment, isEmpty: !REDIS_URL, close: () => endpoint.stop() };
}
