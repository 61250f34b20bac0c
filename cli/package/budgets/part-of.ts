/** Folders that are told apart by their folders. */
const roots = /^(?:shared|modules|functions|cli|\.build)\/[^/]+/;

/**
 * The part of a bundle that a source belongs to: a package, a folder of this project (`shared/http`), or
 * `node` for what stands in for Node's own modules.
 *
 * @param source as a source map of a bundle names it
 */
export function partOf(source: string): string {
  if (source.startsWith('builtin')) return 'node';
  const packages = [...source.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)/g)];
  const name = packages.at(-1)?.[1];
  if (name) return name;
  const path = source.replace(/^(?:\.\.\/)+/, '').replace(/^(?=entries\/|openapi\/)/, '.build/');
  return roots.exec(path)?.[0] ?? path;
}
