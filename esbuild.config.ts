import { builtinModules } from 'node:module';
import type { BuildOptions, Plugin } from 'esbuild';

const builtins = new Set(builtinModules);

/**
 * Reads Node's own modules by `process.getBuiltinModule`. An ESM import of them builds a namespace of every
 * export, and for `node:http` that loads undici, which costs a cold start about as much as Node itself.
 */
const plainBuiltins: Plugin = {
  name: 'plain-builtins',
  setup(build) {
    build.onResolve({ filter: /^(node:)?[a-z_/]+$/ }, ({ path, kind }) => {
      const name = path.replace(/^node:/, '');
      if (!builtins.has(name) || kind === 'entry-point') return undefined;
      return { path: name, namespace: 'builtin' };
    });
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}');`,
      loader: 'js',
    }));
  },
};

/** How the functions are bundled for AWS Lambda: complete, minified, source maps kept beside. */
export const bundleOptions = {
  bundle: true,
  minify: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  outExtension: { '.js': '.mjs' },
  sourcemap: 'external',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  plugins: [plainBuiltins],
} as const satisfies BuildOptions;
