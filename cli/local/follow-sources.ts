import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { root } from '../project.ts';
import { regenerate } from './regenerate.ts';
import { watchSources } from './watch.ts';

export interface SourceFollower {
  /** Waits until no change is being brought in. */
  settled(): Promise<void>;
  end(): void;
}

/**
 * Brings every change of the sources into the running server; a broken one is printed and changes nothing.
 *
 * @param known the functions that the server starts with
 * @param replace serves other functions from now on
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
