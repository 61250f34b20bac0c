import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, relative, resolve, sep } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { type BundledService, bundleFolder, keepChunksApart } from '#functions/bundle/keep-chunks-apart.ts';
import { leanSchemas } from '#functions/bundle/lean-schemas.ts';
import { leanUpstash } from '#functions/bundle/lean-upstash.ts';
import { oneStartChunk } from '#functions/bundle/one-start-chunk.ts';

const builtins = new Set(builtinModules);

/**
 * Reads Node's own modules by `process.getBuiltinModule`. An ESM import reads all exports, and for `node:http` this
 * loads undici, which doubles Node's share of a cold start. Every importer gets its own copy: a shared one would
 * become a separate chunk.
 */
const plainBuiltins: Plugin = {
  name: 'plain-builtins',
  setup(build) {
    const root = build.initialOptions.absWorkingDir ?? process.cwd();
    build.onResolve({ filter: /^(node:)?[a-z_/]+$/ }, ({ path, kind, importer }) => {
      const name = path.startsWith('node:') ? path.slice('node:'.length) : path;
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

/** Source of a module with the exports of a built-in. Unused exports are not read. */
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

/** Replacements for packages with code that functions never use. */
const substitutes: Record<string, string> = {
  // On AWS Lambda the keys are in the environment.
  '@aws-sdk/credential-provider-node': `
    export const defaultProvider = () => async () => ({
      accessKeyId: process.env.AWS_ACCESS_KEY_ID,
      secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY,
      sessionToken: process.env.AWS_SESSION_TOKEN,
    });`,
  // Caches endpoint discovery, which is switched off in the client.
  '@aws-sdk/endpoint-cache': 'export class EndpointCache {}',
  // HTTP clients of the storage SDKs and their dependencies. Requests use shared/net instead.
  ...Object.fromEntries(
    ['urllib', 'cos-request', 'block-stream2', 'mime-types', 'xmlbuilder'].map((name) => [
      name,
      'module.exports = {};',
    ]),
  ),
  // The SDK creates a validator for every server, but tools use their own schemas. This one has a fifth of ajv's size.
  '@modelcontextprotocol/server/_shims': `
    export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator }
      from '@modelcontextprotocol/server/validators/cf-worker';
    export { default as process } from 'node:process';`,
};

const leanPackages: Plugin = {
  name: 'lean-packages',
  setup(build) {
    const namespace = 'substitute';
    const filter = new RegExp(`^(${Object.keys(substitutes).join('|')})$`);
    build.onResolve({ filter }, async ({ path, kind, resolveDir, pluginData }) => {
      if (pluginData === namespace) return undefined;
      // The replacement resolves imports from the package's folder.
      const found = await build.resolve(path, { kind, resolveDir, pluginData: namespace });
      return found.errors.length > 0 ? found : { path, namespace, pluginData: dirname(found.path) };
    });
    build.onLoad({ filter: /.*/, namespace }, ({ path, pluginData }) => ({
      contents: substitutes[path],
      resolveDir: pluginData,
    }));
  },
};

/**
 * Gives the MCP SDK and its caller `Request`, `Response` and `Headers` that do not load undici: 23 ms of processor time
 * until the first answer, a third of it.
 */
const lightFetch: Plugin = {
  name: 'light-fetch',
  setup(build) {
    const classes = resolve('functions/bundle/light-fetch.ts');
    const filter =
      /@modelcontextprotocol[\\/]server[\\/]dist[\\/][\w-]+\.mjs$|shared[\\/]tools[\\/]mcp-service\.ts$/;
    build.onLoad({ filter }, ({ path }) => {
      const from = JSON.stringify(relative(dirname(path), classes).split(sep).join('/'));
      // What a file does not use of it is not bundled.
      const contents = `import { Headers, Request, Response } from ${from};\n${readFileSync(path, 'utf8')}`;
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
    });
  },
};

/** Bundles for AWS Lambda: with all dependencies, minified, source maps in separate files. */
export const bundleOptions = {
  bundle: true,
  minify: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  charset: 'utf8',
  mainFields: ['module', 'main'],
  // Not installed: the storage SDKs import it only for proxies.
  external: ['proxy-agent'],
  outExtension: { '.js': '.mjs' },
  sourcemap: 'external',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  plugins: [oneStartChunk, leanPackages, leanUpstash, lightFetch, plainBuiltins, leanSchemas],
} as const satisfies BuildOptions;

/** The used part of the framework. */
interface Framework {
  service: BundledService;
  processedInput: { commands: readonly string[] };
}

// `keepChunksApart` sets the metafile, and `serverless-esbuild` has another option for the extension.
const { metafile: _metafile, outExtension: _outExtension, ...sharedOptions } = bundleOptions;

/** The same options in the form of `serverless-esbuild`. */
const options = ({ service, processedInput }: Framework) => ({
  ...sharedOptions,
  plugins: [...bundleOptions.plugins, keepChunksApart(service)],
  // `invoke local` looks for `.js` only.
  outputFileExtension: processedInput.commands.join(' ') === 'invoke local' ? '.js' : '.mjs',
  // Entries end with `.mjs`, which esbuild does not try by default.
  resolveExtensions: ['.tsx', '.ts', '.jsx', '.js', '.css', '.json', '.mjs'],
  outputWorkFolder: bundleFolder(),
  outputBuildFolder: 'code',
  keepOutputDirectory: true,
  // Bundles hold all dependencies: none is installed into a package.
  exclude: ['*'],
  // Each build is used once.
  skipRebuild: true,
  concurrency: 8,
});

// The result of `require`, which the framework's plugin uses.
export { options as 'module.exports' };
