import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';

const secret = z.string().check(z.minLength(32));
/** What the local stack keeps of itself between two starts. */
const localSecrets = z.object({ appKey: secret, redisToken: secret });
export type LocalSecrets = z.infer<typeof localSecrets>;

/**
 * The secrets of this data directory, made on first use and readable by their owner only.
 *
 * @param dataDir an existing folder
 */
export function readLocalSecrets(dataDir: string): LocalSecrets {
  const file = join(dataDir, 'secrets.json');
  if (!existsSync(file)) {
    const secrets: LocalSecrets = { appKey: createSecret(), redisToken: createSecret() };
    // At once, so that a start that is cut short leaves no half of it.
    writeFileSync(`${file}.new`, JSON.stringify(secrets, null, 2), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  try {
    return z.parse(localSecrets, JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(
      `${file} is damaged: restore it, or remove it. New secrets are made then; they end every session, and settings ` +
        'that are secret have to be saved again',
      { cause: error },
    );
  }
}

const createSecret = () => randomBytes(32).toString('base64url');

/**
 * Creates a folder if it is missing. Level by level: below `/proc`, Node's recursive way never ends.
 *
 * @param variable that names the folder
 * @throws Error in one line if it cannot be created
 */
export function makeFolder(folder: string, variable: 'DATA_DIR' | 'STORAGE_DIR'): void {
  if (existsSync(folder)) {
    if (statSync(folder).isDirectory()) return;
    throw new Error(`${folder} is not a folder: set ${variable} to another one`);
  }
  makeFolder(dirname(folder), variable);
  try {
    mkdirSync(folder);
  } catch (error) {
    const code = String(Object(error).code);
    // Another process may have been faster.
    if (code === 'EEXIST') return;
    throw new Error(`${folder} cannot be created (${code}): set ${variable} to another folder`, {
      cause: error,
    });
  }
}
