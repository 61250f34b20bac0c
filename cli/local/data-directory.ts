import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the local stack keeps of itself between two starts. */
export interface LocalSecrets {
  appKey: string;
  redisToken: string;
}

/**
 * The secrets of this data directory, made on first use and readable by their owner only.
 *
 * @param dataDir the folder; created where it is not there
 */
export function readLocalSecrets(dataDir: string): LocalSecrets {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, 'secrets.json');
  if (!existsSync(file)) {
    const secrets: LocalSecrets = { appKey: createSecret(), redisToken: createSecret() };
    writeFileSync(file, JSON.stringify(secrets, null, 2), { mode: 0o600, flag: 'wx' });
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

const createSecret = () => randomBytes(32).toString('base64url');
