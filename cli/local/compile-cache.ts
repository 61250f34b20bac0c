import { join } from 'node:path';
import { root } from '../project.ts';

/**
 * Folder where Node keeps what it has compiled, for commands, the local server and the processes that it starts:
 * most of a start is reading sources. `NODE_COMPILE_CACHE` names another one.
 */
export const compileCache = process.env.NODE_COMPILE_CACHE || join(root, '.build', 'compile-cache');
