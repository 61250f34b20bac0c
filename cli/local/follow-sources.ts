import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Manifest } from '#functions/model.ts';
import { createFunctionMap } from '#functions/stacks/function-map.ts';
import { type FunctionSources, selectStack, wholeStack } from '#functions/stacks/stack.ts';
import { explain } from '../command.ts';
import { root } from '../project.ts';
import { watchSources } from './watch.ts';

/** Folders of the sources that functions load. */
const watched = ['modules', 'shared'];

export type SourceFollower = ReturnType<typeof followSources>;

/**
 * Loads changed sources into the running server. If they are broken or break a rule, prints the line and keeps the
 * former functions.
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
      const sources = readSources();
      const found = await regenerate();
      const isSame = found === functions;
      renew(sources);
      if (!isSame) await replace(found);
      functions = found;
      console.log(isSame ? 'Reloaded.' : 'Restarted: the routes have changed.');
      onLoaded();
    } catch (error) {
      console.error(explain(error));
    }
  }
  const end = watchSources(root, watched, (settled) => {
    work = Promise.all([settled, work]).then(([isChanged]) => (isChanged ? reload() : undefined));
  });
  return {
    end,
    /** After its call, functions load generated files again. */
    renew: () => renew(),
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

/**
 * Makes the project's own sources reloadable. Functions load files later too: `modules` and `shared` are kept in memory,
 * so that these are of the same version.
 *
 * @returns a function: after its call, imports load the given sources, or the same, again
 */
function renewSources(): (sources?: ReadonlyMap<string, string>) => void {
  const home = pathToFileURL(`${root}/`).href;
  const isOwn = (url: string) => url.startsWith(home) && !url.startsWith(`${home}node_modules/`);
  let version = 0;
  let kept = readSources();
  const addVersion = (url: string) => (version === 0 ? url : `${url}?v=${version}`);
  registerHooks({
    resolve(specifier, context, next) {
      const url = URL.parse(specifier.replace(/^#/, home), context.parentURL)?.href ?? '';
      // The file may be gone meanwhile.
      if (/^[#.]/.test(specifier) && kept.has(url)) {
        return { url: addVersion(url), importAttributes: context.importAttributes, shortCircuit: true };
      }
      const resolved = next(specifier, context);
      if (!isOwn(resolved.url) || resolved.url.includes('?')) return resolved;
      return { ...resolved, url: addVersion(resolved.url) };
    },
    load(url, context, next) {
      const source = kept.get(url.replace(/\?.*/, ''));
      if (source === undefined) return next(url, context);
      const format = context.importAttributes.type === 'json' ? 'json' : 'module-typescript';
      return { format, source, shortCircuit: true };
    },
  });
  return (sources = kept) => {
    kept = sources;
    version += 1;
  };
}

/** Texts by URL. */
function readSources(): ReadonlyMap<string, string> {
  const files = watched.flatMap((folder) => globSync(join(root, folder, '**/*.{ts,json}')));
  return new Map(files.map((file) => [pathToFileURL(file).href, readFileSync(file, 'utf8')]));
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
    const args = ['--disable-warning=ExperimentalWarning', program, '--check'];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: root });
    process.stderr.write(stderr); // Warnings about the modules.
    return stdout;
  } catch (error) {
    const printed = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new Error(printed || 'the modules cannot be read', { cause: error });
  }
}
