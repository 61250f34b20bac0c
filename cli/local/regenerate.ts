import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createFunctionMap } from '#functions/function-map.ts';
import type { Manifest } from '#functions/model.ts';
import { type FunctionSources, selectStack, wholeStack } from '#functions/stacks/stack.ts';
import { root } from '../project.ts';

const run = promisify(execFile);

/** What the local server runs: the whole service, or the stack that `MODULE` names. */
export const selectLocal = (manifest: Manifest): FunctionSources =>
  selectStack(manifest, process.env.MODULE || wholeStack);

/** The functions of the local server as a text to compare. The gateway is replaced if it changes. */
export function describeFunctions(manifest: Manifest): string {
  return JSON.stringify(createFunctionMap(selectLocal(manifest), 'local'));
}

/**
 * Discovers the modules in a process of its own, since this one has their sources loaded as they were.
 *
 * @returns the functions that there now are, as {@link describeFunctions} tells them
 * @throws Error whose message tells which file breaks which rule
 */
export async function regenerate(): Promise<string> {
  try {
    const { stdout, stderr } = await run(process.execPath, [join(root, 'cli', 'generate.ts')], { cwd: root });
    // Warnings of the modules; what stops them is thrown.
    process.stderr.write(stderr);
    return stdout;
  } catch (error) {
    const printed = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new Error(printed || 'the modules cannot be read', { cause: error });
  }
}
