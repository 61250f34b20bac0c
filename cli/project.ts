import { join, resolve } from 'node:path';

/** The project's folder. */
export const root = resolve(import.meta.dirname, '..');

/** The folder for what this machine keeps: `DATA_DIR`, `.data` by default. */
export function readDataDir(environment: NodeJS.ProcessEnv = process.env): string {
  return resolve(root, environment.DATA_DIR || '.data');
}

/**
 * Folder where Node keeps what it has compiled, for commands, the local server and the processes that it starts:
 * most of a start is reading sources. `NODE_COMPILE_CACHE` names another one.
 */
export const compileCache = process.env.NODE_COMPILE_CACHE || join(root, '.build', 'compile-cache');
