import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { root } from '../project.ts';

/**
 * Makes sources loadable anew after a change: the project's own, not its dependencies.
 *
 * @returns called after a change; whatever is imported from then on is as it is now
 */
export function renewSources(): () => void {
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
