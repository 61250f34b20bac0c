import { execFile } from 'node:child_process';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createFunctionMap } from '#functions/function-map.ts';
import type { Manifest } from '#functions/model.ts';
import { type FunctionSources, selectStack, wholeStack } from '#functions/stacks/stack.ts';
import { root } from '../project.ts';
import { watchSources } from './watch.ts';

export interface SourceFollower {
  /** Waits until all changes are loaded. */
  settled(): Promise<void>;
  end(): void;
}

/**
 * Loads changed sources into the running server. A broken change is printed and changes nothing.
 *
 * @param known the functions that the server starts with
 * @param replace serves other functions
 */
export function followSources(known: string, replace: (functions: string) => Promise<void>): SourceFollower {
  const renew = renewSources();
  let functions = known;
  let work = Promise.resolve();
  let touches = 0;
  let held: PromiseWithResolvers<void> | undefined;

  async function bringIn(): Promise<void> {
    try {
      const found = await regenerate();
      const isSame = found === functions;
      renew();
      if (!isSame) await replace(found);
      functions = found;
      console.log(isSame ? 'Reloaded.' : 'Restarted: the routes have changed.');
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
    }
  }
  const end = watchSources(root, ['modules', 'shared'], {
    onTouch() {
      touches += 1;
      held ??= Promise.withResolvers();
    },
    onSettled(isChanged) {
      const seen = touches;
      work = work
        .then(() => (isChanged ? bringIn() : undefined))
        .then(() => {
          if (seen !== touches) return;
          held?.resolve();
          held = undefined;
        });
    },
  });
  return {
    end,
    async settled() {
      while (held) await held.promise;
    },
  };
}

/**
 * Lets the project's own sources, not its dependencies, be loaded again.
 *
 * @returns to be called after a change: later imports read the changed sources
 */
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

/** The functions of the whole service, or of the stack that `MODULE` names. */
export const selectLocal = (manifest: Manifest): FunctionSources =>
  selectStack(manifest, process.env.MODULE || wholeStack);

/** The functions of the local server as JSON. The gateway is replaced if it changes. */
export function describeFunctions(manifest: Manifest): string {
  return JSON.stringify(createFunctionMap(selectLocal(manifest), 'local'));
}

/**
 * Discovers the modules in another process: this one has already loaded their sources.
 *
 * @returns the functions as {@link describeFunctions} writes them
 * @throws Error naming the file that breaks a rule
 */
async function regenerate(): Promise<string> {
  try {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [join(root, 'cli', 'generate.ts')],
      { cwd: root },
    );
    // Warnings about the modules.
    process.stderr.write(stderr);
    return stdout;
  } catch (error) {
    const printed = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new Error(printed || 'the modules cannot be read', { cause: error });
  }
}
