import { execFile } from 'node:child_process';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createFunctionMap } from '#functions/function-map.ts';
import type { Manifest } from '#functions/model.ts';
import { type FunctionSources, selectStack, wholeStack } from '#functions/stacks/stack.ts';
import { explain } from '../command.ts';
import { root } from '../project.ts';
import { watchSources } from './watch.ts';

export type SourceFollower = ReturnType<typeof followSources>;

/**
 * Loads changed sources into the running server. If they break a rule, prints the error and keeps the functions.
 *
 * @param onLoaded called after the sources are loaded
 */
export function followSources(
  known: string,
  replace: (functions: string) => Promise<void>,
  onLoaded: () => void,
) {
  const renew = renewSources();
  let functions = known;
  let work = Promise.resolve();

  async function reload(): Promise<void> {
    try {
      const found = await regenerate();
      const isSame = found === functions;
      renew();
      if (!isSame) await replace(found);
      functions = found;
      console.log(isSame ? 'Reloaded.' : 'Restarted: the routes have changed.');
      onLoaded();
    } catch (error) {
      console.error(explain(error));
    }
  }
  const end = watchSources(root, ['modules', 'shared'], (settled) => {
    work = Promise.all([settled, work]).then(([isChanged]) => (isChanged ? reload() : undefined));
  });
  return {
    end,
    /** After its call, functions load generated files again. */
    renew,
    /** Settles after all changes are loaded. */
    async settled(): Promise<void> {
      let seen: Promise<void> | undefined;
      while (seen !== work) {
        seen = work;
        await seen;
      }
    },
  };
}

/** Makes the project's own sources reloadable. @returns a function: after its call, imports read the sources again */
function renewSources(): () => void {
  const home = pathToFileURL(`${root}/`).href;
  const isOwn = (url: string) => url.startsWith(home) && !url.startsWith(`${home}node_modules/`);
  let version = 0;
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      if (version === 0 || !isOwn(resolved.url) || resolved.url.includes('?')) return resolved;
      return { ...resolved, url: `${resolved.url}?v=${version}` };
    },
  });
  return () => {
    version += 1;
  };
}

/** The functions of the whole service, or of the stack in `MODULE`. */
export const selectLocal = (manifest: Manifest): FunctionSources =>
  selectStack(manifest, process.env.MODULE || wholeStack);

/** The functions of the local server as JSON. If it changes, the gateway is replaced. */
export function describeFunctions(manifest: Manifest): string {
  return JSON.stringify(createFunctionMap(selectLocal(manifest), 'local'));
}

/** {@link describeFunctions} in another process: this one holds the old sources. @throws Error for a broken rule */
async function regenerate(): Promise<string> {
  try {
    const program = join(root, 'cli', 'generate.ts');
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program], { cwd: root });
    process.stderr.write(stderr); // Warnings about the modules.
    return stdout;
  } catch (error) {
    const printed = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new Error(printed || 'the modules cannot be read', { cause: error });
  }
}
