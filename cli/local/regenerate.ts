import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Discovers the modules in a process of its own, since this one has their sources loaded as they were.
 *
 * @returns the functions that there now are, as a text to compare
 * @throws Error whose message tells which file breaks which rule
 */
export async function regenerate(root: string): Promise<string> {
  try {
    const { stdout } = await run(process.execPath, [join(root, 'cli', 'generate.ts')], { cwd: root });
    return stdout;
  } catch (error) {
    const printed = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new Error(printed || 'the modules cannot be read', { cause: error });
  }
}
