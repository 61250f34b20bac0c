import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Makes sources loadable anew after a change: the project's own, not its dependencies.
 *
 * @returns called after a change; whatever is imported from then on is as it is now
 */
export function renewSources(): () => void {
  const root = pathToFileURL(`${process.cwd()}/`).href;
  const isOwn = (url: string) => url.startsWith(root) && !url.startsWith(`${root}node_modules/`);
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
