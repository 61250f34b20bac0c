import { resolve } from 'node:path';

/** The project's folder. */
export const root = resolve(import.meta.dirname, '..');

/** The folder for what this machine keeps: `DATA_DIR`, `.data` by default. */
export function readDataDir(environment: NodeJS.ProcessEnv = process.env): string {
  return resolve(root, environment.DATA_DIR || '.data');
}
