import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { startDynamoDbEngine } from '../cli/local/dynamodb-engine.ts';
import { receive, startChild } from './child.ts';
import { createWorkFolder } from './work-folder.ts';

/** Both stores, each in a process of its own. */
export interface Stores {
  /** Folder of the database's data; it is removed at the end with everything in it. */
  folder: string;
  databaseUrl: string;
  cacheUrl: string;
  cacheToken: string;
  stop(): Promise<void>;
}

/**
 * Starts both stores on free loopback ports.
 *
 * @param redisUrl of a Redis to keep the cache in; in memory by default
 */
export async function startStores(redisUrl?: string): Promise<Stores> {
  const folder = createWorkFolder('bench-');
  const cacheToken = randomBytes(32).toString('base64url');
  const engine = await startDynamoDbEngine({ dataDir: folder, environment: { PATH: process.env.PATH } });
  const cache = startChild({ script: 'redis', args: [cacheToken, redisUrl ?? ''], environment: {} });
  const stop = async () => {
    cache.kill();
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const cacheUrl = await receive<string>(cache);
    return { folder, databaseUrl: engine.endpoint, cacheUrl, cacheToken, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
