import { randomBytes } from 'node:crypto';
import { install } from '../cli/install.ts';
import type { Manifest } from '../functions/model.ts';
import { loginAdmin } from '../modules/System/admins/admin-login.ts';
import { RedisClient } from '../shared/cache/redis.ts';
import { createTransport } from '../shared/cache/transport.ts';
import { deriveKeys } from '../shared/crypto/keys.ts';
import { startStores } from './start-stores.ts';

/** An installed service with its own stores, and an administrator who is logged in. */
export interface Stack {
  /** For data that ends with the stack. */
  folder: string;
  /** Variables of the functions. */
  environment: Record<string, string>;
  /** The same with another table, so that uploaded files do not appear in the list. */
  uploadEnvironment: Record<string, string>;
  /** The administrator's access token. */
  token: string;
  /** Removes the expiry of all cache entries. */
  keepCached(): Promise<void>;
  dropCached(): Promise<void>;
  /** Resets the counts of throttles. */
  dropCounters(): Promise<void>;
  stop(): Promise<void>;
}

/** What tells a function that it is deployed: it then logs as it does there, counting metrics. */
const deployment = {
  AWS_LAMBDA_RUNTIME_API: '127.0.0.1:9',
  AWS_LAMBDA_LOG_GROUP_NAME: '/backend/bench/system',
};

const tableName = 'bench';
const uploadTableName = 'bench-uploads';
const createSecret = () => randomBytes(32).toString('base64url');

/**
 * Starts both stores on free ports, installs, and logs an administrator in.
 *
 * @param redisUrl of a Redis to keep the cache in, whose keys of a service are deleted; in memory by default
 */
export async function startStack({ modules }: Manifest, redisUrl?: string): Promise<Stack> {
  const { folder, databaseUrl, cacheUrl, cacheToken, stop } = await startStores(redisUrl);
  const environment: Record<string, string> = {
    APP_KEY: createSecret(),
    TABLE_NAME: tableName,
    PUBLIC_URL: 'http://localhost',
    DYNAMODB_ENDPOINT: databaseUrl,
    UPSTASH_REDIS_REST_URL: cacheUrl,
    UPSTASH_REDIS_REST_TOKEN: cacheToken,
    // Installed, so that the site gate reads; and no throttle ends a run.
    DATA_DIR: folder,
    STORAGE_DIR: folder,
    THROTTLE_FACTOR: '1000000',
  };
  // From here on the service's own code runs in this process too.
  Object.assign(process.env, environment);
  const redis = new RedisClient(createTransport({ url: cacheUrl, token: cacheToken, timeoutMs: 5000 }));
  try {
    const credentials = { account: 'bench', password: createSecret() };
    const manifests = modules.map(({ manifest }) => manifest);
    const folders = { dataDir: folder, storageDir: folder };
    await install({ tableName, modules: manifests, ...folders, ...credentials });
    // All but the table is there.
    await install({ tableName: uploadTableName, modules: [], ...folders, ...credentials });
    const { token } = await loginAdmin(credentials.account, credentials.password, '127.0.0.1');
    environment.BARE_TOKEN_KEY = deriveKeys('token')[0].secret.export().toString('base64');
    const ofFunctions = { ...environment, ...deployment };
    return {
      folder,
      environment: ofFunctions,
      uploadEnvironment: { ...ofFunctions, TABLE_NAME: uploadTableName },
      token,
      keepCached: () => forEachKey(redis, 'service:*', (key) => redis.expire(key, 86_400)),
      dropCached: () => forEachKey(redis, 'service:*', (key) => redis.del(key)),
      dropCounters: () => forEachKey(redis, 'service:throttle:*', (key) => redis.del(key)),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function forEachKey(
  redis: RedisClient,
  pattern: string,
  work: (key: string) => Promise<number>,
): Promise<void> {
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, { match: pattern, count: 1000 });
    await Promise.all(keys.map(work));
    cursor = next;
  } while (cursor !== '0');
}
