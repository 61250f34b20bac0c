import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { deriveKey } from '#shared/crypto/keys.ts';
import { ArchiveError } from './archive.ts';

/** Name of the first entry. */
export const descriptionName = 'backup.json';
export const longestDescription = 1024 * 1024;

/** The layout of entries. Another layout gets another number. */
const format = 1;

const description = z.strictObject({
  format: z.literal(format),
  created_at: z.string(),
  /** The version in `package.json`. */
  service: z.string(),
  /** Versions of the enabled modules, by name. */
  modules: z.record(z.string(), z.string()),
  /** The version of the table's data, as `migrate` counts it. */
  data_version: z.int().check(z.minimum(0)),
  /** IDs of the keys in `APP_KEY`; they reveal nothing about them. */
  keys: z.array(z.string()),
  /** Names of settings that were set in the environment: their values are not in the backup. */
  environment: z.array(z.string()),
});
export type Description = z.infer<typeof description>;

export const renderDescription = (values: Omit<Description, 'format'>): Buffer =>
  Buffer.from(`${JSON.stringify({ format, ...values }, null, 2)}\n`);

/** @throws ArchiveError for another format */
export function readDescription(bytes: Uint8Array): Description {
  try {
    const found: unknown = JSON.parse(Buffer.from(bytes).toString());
    const { format: other } = Object(found);
    if (typeof other === 'number' && other !== format)
      throw new ArchiveError(`the backup has the format ${other}, and this code reads the format ${format}`);
    return z.parse(description, found);
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError(`${descriptionName} is damaged`, { cause: error });
  }
}

/** Settings of the environment that a restored installation needs too. Folders, ports and stores are the machine's. */
const settings = [
  'APP_KEY',
  'PUBLIC_URL',
  'PUBLIC_URL_ALIASES',
  'CORS_ORIGINS',
  'TZ_NAME',
  'ALLOW_PRIVATE_ENDPOINTS',
] as const;

/** Names of the settings that are set. */
export const listSettings = (environment: NodeJS.ProcessEnv): string[] =>
  settings.filter((name) => environment[name]);

/** IDs of the keys that an installation uses. @param dataDir has the generated key, for an empty `APP_KEY` */
export function identifyKeys({ APP_KEY }: NodeJS.ProcessEnv, dataDir: string): string[] {
  const list: string = APP_KEY || JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).appKey;
  return list.split(',').map((key) => deriveKey(key.trim(), 'backup').id);
}
