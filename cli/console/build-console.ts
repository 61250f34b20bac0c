import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../project.ts';
import { isBuilt } from './sources.ts';

const run = promisify(execFile);

/**
 * Builds the console in another process, if its sources have changed since the last build. The generator has to run
 * before.
 *
 * @param onStart called before a build
 * @returns whether it was built
 * @throws Error with the reason in plain words if it cannot be built; the last build stays
 */
export async function buildConsole(onStart = () => {}): Promise<boolean> {
  if (isBuilt(root)) return false;
  onStart();
  try {
    await run(process.execPath, [join(root, 'cli', 'console', 'build.ts')], { cwd: root });
    return true;
  } catch (error) {
    const printed = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new Error(`the console cannot be built: ${printed || String(error)}`, { cause: error });
  }
}
