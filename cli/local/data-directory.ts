import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What the local stack keeps of itself between two starts. */
export interface LocalSecrets {
  appKey: string;
  redisToken: string;
}

/**
 * The secrets of this data directory, made on first use and readable by their owner only.
 *
 * @param dataDir an existing folder
 */
export function readLocalSecrets(dataDir: string): LocalSecrets {
  const file = join(dataDir, 'secrets.json');
  if (!existsSync(file)) {
    const secrets: LocalSecrets = { appKey: createSecret(), redisToken: createSecret() };
    writeFileSync(file, JSON.stringify(secrets, null, 2), { mode: 0o600, flag: 'wx' });
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

const createSecret = () => randomBytes(32).toString('base64url');

/**
 * Creates the data directory if it is missing. Level by level: below `/proc`, Node's recursive way never ends.
 *
 * @throws Error in one line if it cannot be created
 */
export function makeDataDir(dataDir: string): void {
  if (existsSync(dataDir)) return;
  makeDataDir(dirname(dataDir));
  try {
    mkdirSync(dataDir);
  } catch (error) {
    const code = String(Object(error).code);
    // Another process may have been faster.
    if (code === 'EEXIST') return;
    throw new Error(`${dataDir} cannot be created (${code}): set DATA_DIR to another folder`, {
      cause: error,
    });
  }
}
