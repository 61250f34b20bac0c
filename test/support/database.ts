import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, jest } from '@jest/globals';
import { install } from '#cli/install.ts';
import { type LocalEngineName, startDynamoDbEngine } from '#cli/local/dynamodb-engine.ts';
import { startUpstashEndpoint } from '#cli/local/upstash/start-upstash-endpoint.ts';
import { currentCost } from '#shared/auth/password.ts';
import { database } from '#shared/db/client.ts';
import type { ModuleManifest } from '#shared/module/module.ts';

/** The administrator that test databases are installed with. */
export const firstAdministrator = { account: 'root', password: 'correct horse battery' };

/**
 * Starts an engine and a cache for a test file, points its environment at them and installs the service;
 * stops all of it in the end. Passwords are hashed cheaply to save time. Sources
 * must not read the environment before.
 */
export function useDatabase(engine: LocalEngineName, modules: readonly ModuleManifest[] = []): void {
  const undo: (() => unknown)[] = [];
  currentCost.ln = 11;

  beforeAll(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'database-'));
    undo.push(() => rm(dataDir, { recursive: true, force: true }));
    const server = await startDynamoDbEngine({ dataDir, environment: process.env, engine });
    undo.push(() => server.stop());
    const token = randomUUID();
    const cache = await startUpstashEndpoint({ token });
    undo.push(() => cache.stop());
    const tableName = `test-${randomUUID()}`;
    Object.assign(process.env, {
      APP_KEY: randomBytes(32).toString('hex'),
      TABLE_NAME: tableName,
      DYNAMODB_ENDPOINT: server.endpoint,
      // The end of the audit log is kept there.
      DATA_DIR: dataDir,
      PUBLIC_URL: 'http://localhost:3000',
      UPSTASH_REDIS_REST_URL: cache.url,
      UPSTASH_REDIS_REST_TOKEN: token,
      LOG_LEVEL: 'error',
    });
    undo.push(async () => (await database()).destroy());
    await install({ tableName, modules, dataDir, ...firstAdministrator });
  }, 120_000);

  afterAll(async () => {
    for (const step of undo.reverse()) await step();
  }, 60_000);
}

/**
 * Runs `work` with fresh copies of the sources that it imports, as a process with another environment would
 * have them: `await inAnotherProcess({ TABLE_NAME: 'x' }, async () => { const { getItem } = await import(…) })`.
 */
export async function inAnotherProcess(
  environment: Record<string, string>,
  work: () => Promise<void>,
): Promise<void> {
  const before = { ...process.env };
  Object.assign(process.env, environment);
  try {
    await jest.isolateModulesAsync(async () => {
      const client = await import('#shared/db/client.ts');
      try {
        await work();
      } finally {
        (await client.database()).destroy();
      }
    });
  } finally {
    Object.assign(process.env, before);
  }
}

/** How several promises ended, in their order: `done`, or the code (else the name) of the error. */
export async function outcomesOf(promises: readonly Promise<unknown>[]): Promise<string[]> {
  const results = await Promise.allSettled(promises);
  return results.map((result) => (result.status === 'fulfilled' ? 'done' : nameOf(result.reason)));
}

function nameOf(error: { code?: string; name: string }): string {
  return error.code ?? error.name;
}

/** Counts equal words: `{ done: 1, version_conflict: 1 }`. */
export function tally(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

/** Sixteen random lowercase letters, for keys that no other test has. */
export function randomLetters(): string {
  return randomBytes(8)
    .toString('hex')
    .replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
}
