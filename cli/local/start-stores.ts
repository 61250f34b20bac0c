import { createTransport } from '#shared/cache/transport.ts';
import { explain } from '../command.ts';
import { readLocalSecrets, rememberStack } from './data-directory.ts';
import { openGate } from './dynamodb/gate.ts';
import { startDynamoDbEngine } from './dynamodb-engine.ts';
import { startUpstashEndpoint } from './upstash/start-upstash-endpoint.ts';

/** The table of a local server, if `TABLE_NAME` names no other. */
export const localTable = 'backend-local';

/**
 * Starts database and cache of the local server on an existing data directory. Sets their addresses in this process,
 * and saves them for commands. @param port of the local server, for its default `PUBLIC_URL`
 */
export async function startStores(dataDir: string, port: number) {
  const secrets = readLocalSecrets(dataDir);
  const engine = await startDynamoDbEngine({ dataDir, environment: process.env });
  // An external endpoint is not ours to guard.
  const gate = engine.name === 'external' ? undefined : await openGate(engine.endpoint);
  const redis = await openRedis(secrets.redisToken).catch(async (error) => {
    await gate?.stop();
    await engine.stop();
    throw error;
  });
  const environment = {
    APP_KEY: process.env.APP_KEY || secrets.appKey,
    DATA_DIR: dataDir,
    STORAGE_DIR: process.env.STORAGE_DIR || dataDir,
    DYNAMODB_ENDPOINT: gate?.endpoint ?? engine.endpoint,
    PUBLIC_URL: process.env.PUBLIC_URL || `http://localhost:${port}`,
    TABLE_NAME: process.env.TABLE_NAME || localTable,
    ...redis.environment,
  };
  Object.assign(process.env, environment);
  rememberStack(dataDir, port, environment);
  return {
    engine,
    tableName: environment.TABLE_NAME,
    isCacheEmpty: redis.isEmpty,
    /** Settles with the reason if a store ends unexpectedly. */
    exited: engine.exited.then(() => `the ${engine.name} engine ended by itself`),
    async stop(): Promise<void> {
      await redis.close();
      await gate?.stop();
      await engine.stop();
    },
  };
}

/** Uses the cache of the environment, or starts one. An external cache may hold stale entries. */
async function openRedis(token: string) {
  const { UPSTASH_REDIS_REST_URL, UPSTASH_REDIS_REST_TOKEN, REDIS_URL } = process.env;
  if (UPSTASH_REDIS_REST_URL) {
    const environment = { UPSTASH_REDIS_REST_URL, UPSTASH_REDIS_REST_TOKEN };
    await checkCache(UPSTASH_REDIS_REST_URL, UPSTASH_REDIS_REST_TOKEN);
    return { environment, isEmpty: false, close: async () => {} };
  }
  const endpoint = await startUpstashEndpoint({ token, redisUrl: REDIS_URL || undefined });
  const environment = { UPSTASH_REDIS_REST_URL: endpoint.url, UPSTASH_REDIS_REST_TOKEN: token };
  return { environment, isEmpty: !REDIS_URL, close: () => endpoint.stop() };
}

/** Longest time for the first request, in milliseconds: it looks up the name and opens the connection too. */
const firstContactMs = 5_000;

/** @throws Error in one line if the cache cannot be reached, or refuses the token */
async function checkCache(url: string, token = ''): Promise<void> {
  try {
    await createTransport({ url, token, timeoutMs: firstContactMs })([['PING']]);
  } catch (error) {
    throw new Error(`UPSTASH_REDIS_REST_URL cannot be used: ${explain(error)}`, { cause: error });
  }
}
