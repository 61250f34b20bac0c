import { join, relative, resolve } from 'node:path';
import type { Program } from '@babel/types';
import type { Plugin } from 'esbuild';
import { parseSource } from './parse-source.ts';

const namespace = 'late';

/**
 * Bundles all that a function loads at its start into one chunk. esbuild makes a chunk for every set of entries that
 * share a module, and each file that loads late is an entry: the more of them, the more files at the start, and each
 * costs about 0.25 ms of a cold start. Here every late file imports the function's entry too, so they all share the
 * whole start. This loads nothing more, because the start has already run. The start must not wait for a late file at
 * its top level: that file waits for the start.
 *
 * Late files of packages, JSON and Node's modules stay as they are: they share only esbuild's helpers with the start.
 */
export const oneStartChunk: Plugin = {
  name: 'one-start-chunk',
  setup({ initialOptions, resolve: find, onResolve, onLoad }) {
    const root = initialOptions.absWorkingDir ?? process.cwd();
    const [entry, ...others] = Object.values(initialOptions.entryPoints ?? {});
    if (typeof entry !== 'string' || others.length > 0) return;
    onResolve(
      { filter: /^[.#]/ },
      async ({ path, kind, importer, resolveDir, pluginData, with: attributes }) => {
        if (kind !== 'dynamic-import' || pluginData === namespace || importer.includes('node_modules')) {
          return undefined;
        }
        const found = await find(path, {
          kind,
          importer,
          resolveDir,
          with: attributes,
          pluginData: namespace,
        });
        const isCode = found.namespace === 'file' && /\.m?[jt]s$/.test(found.path);
        if (found.errors.length > 0 || !isCode) return undefined;
        return { path: relative(root, found.path), namespace };
      },
    );
    onLoad({ filter: /./, namespace }, ({ path }) => {
      const file = join(root, path);
      const from = JSON.stringify(file);
      const lines = [`import ${JSON.stringify(resolve(root, entry))};`, `export * from ${from};`];
      if (hasDefault(parseSource(file).tree)) lines.push(`export { default } from ${from};`);
      return { contents: lines.join('\n'), resolveDir: root };
    });
  },
};

/** Whether a file exports a default, which `export *` leaves out. */
const hasDefault = ({ body }: Program): boolean =>
  body.some((each) => {
    if (each.type === 'ExportDefaultDeclaration') return true;
    const specifiers = each.type === 'ExportNamedDeclaration' ? each.specifiers : [];
    return specifiers.some(({ exported }) => exported.type === 'Identifier' && exported.name === 'default');
  });
