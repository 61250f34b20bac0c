import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import type { FunctionSources } from '#functions/stacks/stack.ts';
import { readConsoleSwitch } from '#shared/config/check-environment.ts';
import { root } from '../project.ts';
import { isBuilt } from './sources.ts';

const run = promisify(execFile);

/** Whether functions contain the console, and `CONSOLE` is not `off`. @throws EnvironmentError for another value */
export const needsConsole = ({ routes }: Pick<FunctionSources, 'routes'>): boolean =>
  readConsoleSwitch(process.env.CONSOLE || undefined) &&
  routes.some(({ route }) => route.needs?.includes('console'));

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
    // Vite keeps a mode of the environment, such as a test's, and Vue's own checks with it.
    const env = { ...process.env, NODE_ENV: 'production' };
    await run(process.execPath, [join(root, 'cli', 'console', 'build.ts')], { cwd: root, env });
    return true;
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
    // The bundler colours every letter of its excerpts.
    const printed = stripVTControlCharacters(output).trim();
    throw new Error(`the console cannot be built: ${printed || String(error)}`, { cause: error });
  }
}
