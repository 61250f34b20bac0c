import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { root } from '../project.ts';

/**
 * Lets the project's own sources, not its dependencies, be loaded again after a change.
 *
 * @returns to be called after a change; imports from then on read the sources as they are then
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
