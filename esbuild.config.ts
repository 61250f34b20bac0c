import { builtinModules } from 'node:module';
import { relative } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';

const builtins = new Set(builtinModules);

/**
 * Reads Node's own modules by `process.getBuiltinModule`. An ESM import of them builds a namespace of every
 * export, and for `node:http` that loads undici, which costs a cold start about as much as Node itself. Every
 * importer has one of its own: one that is shared with code that loads on first use would become a file.
 */
const plainBuiltins: Plugin = {
  name: 'plain-builtins',
  setup(build) {
    const root = build.initialOptions.absWorkingDir ?? process.cwd();
    build.onResolve({ filter: /^(node:)?[a-z_/]+$/ }, ({ path, kind, importer }) => {
      const name = path.replace(/^node:/, '');
      if (!builtins.has(name) || kind === 'entry-point') return undefined;
      const namespace = kind === 'import-statement' ? 'builtin' : 'builtin-cjs';
      return { path: name, namespace, suffix: `?${relative(root, importer)}` };
    });
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({ contents: toModule(path) }));
    build.onLoad({ filter: /.*/, namespace: 'builtin-cjs' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}');`,
    }));
  },
};

/** A module that exports what a built-in does; what nobody imports is never touched. */
function toModule(path: string): string {
  const names = Object.keys(process.getBuiltinModule(`node:${path}`) ?? {}).filter(
    (name) => /^\w+$/.test(name) && name !== 'default',
  );
  return [
    `const builtin = process.getBuiltinModule('node:${path}');`,
    'export default builtin;',
    ...names.map((name) => `const $${name} = /* @__PURE__ */ (() => builtin.${name})();`),
    `export { ${names.map((name) => `$${name} as ${name}`).join(', ')} };`,
  ].join('\n');
}

/** How the functions are bundled for AWS Lambda: complete, minified, source maps kept beside. */
export const bundleOptions = {
  bundle: true,
  minify: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  // The storage SDKs name it for proxies that nobody configures; it is not installed.
  external: ['proxy-agent'],
  outExtension: { '.js': '.mjs' },
  sourcemap: 'external',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  plugins: [plainBuiltins],
} as const satisfies BuildOptions;
