import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '..');

/** The folder for local data: `DATA_DIR`, by default `.data`. */
export const readDataDir = (): string => resolve(root, process.env.DATA_DIR || '.data');

/** Node's compile cache for commands and the local server, which start faster with it. */
export const compileCache = process.env.NODE_COMPILE_CACHE || join(root, '.build', 'compile-cache');
