import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { type BundledService, bundleFolder, keepChunksApart } from '#functions/keep-chunks-apart.ts';
import { commands } from '#shared/cache/commands.ts';

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

/** A module that exports what a built-in does. An export that is not imported is never read. */
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

/** Packages that bring along what a function never reaches, and what takes their place. */
const substitutes: Record<string, string> = {
  // AWS Lambda puts the keys into the environment: no profiles, no sign-in, no metadata service.
  '@aws-sdk/credential-provider-node': `
    export const defaultProvider = () => async () => ({
      accessKeyId: process.env.AWS_ACCESS_KEY_ID,
      secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY,
      sessionToken: process.env.AWS_SESSION_TOKEN,
    });`,
  // Remembers endpoints that DynamoDB was asked for, which the client is told not to ask for.
  '@aws-sdk/endpoint-cache': 'export class EndpointCache {}',
  // The HTTP clients of the storage SDKs, and what only they or unused calls need: requests go through shared/net.
  ...Object.fromEntries(
    ['urllib', 'cos-request', 'block-stream2', 'mime-types', 'xmlbuilder'].map((name) => [
      name,
      'module.exports = {};',
    ]),
  ),
  // The SDK builds a validator with every server. This is the other one that it offers: a fifth of ajv's size.
  // Arguments of tools are validated by their own schemas, not by it.
  '@modelcontextprotocol/server/_shims': `
    export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator }
      from '@modelcontextprotocol/server/validators/cf-worker';
    export { default as process } from 'node:process';`,
};

/** Every command of Upstash's client is one line like this, in its client and in its pipelines. */
const commandLine = /^ +(\w+)(?: =|:) \(.*\) => (this\.chain\()?new \w+Command\(.*\)[;,]\n/gm;
/** What else its client can do: groups of commands, pipelines, scripts and subscriptions. */
const groupMember =
  /^ {2}(?:get (?:json|functions|search|vector)\(\)|createScript\(.*\)|(?:pipeline|autoPipeline|multi|subscribe|psubscribe) = .*) ?[{[(]\{?\n[\s\S]*?^ {2}[})\]]+;?\n/gm;

/** Leaves out what the service does not use of Upstash's client: most of its code. */
const leanUpstash: Plugin = {
  name: 'lean-upstash',
  setup(build) {
    const used = new Set<string>(commands);
    // The client for Node adds an HTTP client of its own, which ours replaces.
    build.onLoad({ filter: /@upstash[\\/]redis[\\/]nodejs\.mjs$/ }, ({ path }) => {
      const [chunk] = /\.\/chunk-\w+\.mjs/.exec(readFileSync(path, 'utf8')) ?? [];
      return { contents: `export { Redis } from '${chunk}';` };
    });
    build.onLoad({ filter: /@upstash[\\/]redis[\\/]chunk-\w+\.mjs$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const withoutCommands = source.replace(commandLine, (line, name, chain) =>
        used.has(name) && !chain ? line : '',
      );
      const contents = withoutCommands.replace(groupMember, '');
      if (withoutCommands === source || contents === withoutCommands) {
        throw new Error(`${path}: its members look different; adapt commandLine and groupMember`);
      }
      return { contents };
    });
  },
};

const leanPackages: Plugin = {
  name: 'lean-packages',
  setup(build) {
    const namespace = 'substitute';
    const filter = new RegExp(`^(${Object.keys(substitutes).join('|')})$`);
    build.onResolve({ filter }, async ({ path, kind, resolveDir, pluginData }) => {
      if (pluginData === namespace) return undefined;
      // What stands for a package sees what the package does.
      const found = await build.resolve(path, { kind, resolveDir, pluginData: namespace });
      return found.errors.length > 0 ? found : { path, namespace, pluginData: dirname(found.path) };
    });
    build.onLoad({ filter: /.*/, namespace }, ({ path, pluginData }) => ({
      contents: substitutes[path],
      resolveDir: pluginData,
    }));
  },
};

/** Gives the MCP SDK, and what calls it, `Request`, `Response` and `Headers` that do not load undici. */
const lightFetch: Plugin = {
  name: 'light-fetch',
  setup(build) {
    const classes = resolve('functions/light-fetch.ts');
    const filter =
      /@modelcontextprotocol[\\/]server[\\/]dist[\\/][\w-]+\.mjs$|shared[\\/]tools[\\/]mcp-service\.ts$/;
    build.onLoad({ filter }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const used = ['Headers', 'Request', 'Response'].filter(
        (name) => source.includes(`new ${name}(`) || source.includes(`${name}.json(`),
      );
      const from = JSON.stringify(relative(dirname(path), classes).replace(/\\/g, '/'));
      return {
        contents: `import { ${used.join(', ')} } from ${from};\n${source}`,
        loader: path.endsWith('.ts') ? 'ts' : 'js',
      };
    });
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
  // The storage SDKs import it for proxies, which are not used here; it is not installed.
  external: ['proxy-agent'],
  outExtension: { '.js': '.mjs' },
  sourcemap: 'external',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  plugins: [leanPackages, leanUpstash, lightFetch, plainBuiltins],
} as const satisfies BuildOptions;

/** The framework, as far as it decides how `serverless-esbuild` bundles. */
interface Framework {
  service: BundledService;
  processedInput: { commands: readonly string[] };
}

// The plugin of `keepChunksApart` asks for the metafile, and `serverless-esbuild` spells the extension its own way.
const { metafile: _metafile, outExtension: _outExtension, ...sharedOptions } = bundleOptions;

/** The same as `serverless-esbuild` takes it. */
const options = ({ service, processedInput }: Framework) => ({
  ...sharedOptions,
  plugins: [...bundleOptions.plugins, keepChunksApart(service)],
  // `invoke local` looks for this one only; in the project's folder it is a module too.
  outputFileExtension: processedInput.commands.join(' ') === 'invoke local' ? '.js' : '.mjs',
  // Entries are found by these too; the last one is only looked for if there is no other file.
  resolveExtensions: ['.tsx', '.ts', '.jsx', '.js', '.css', '.json', '.mjs'],
  outputWorkFolder: bundleFolder(),
  outputBuildFolder: 'code',
  keepOutputDirectory: true,
  // Nothing is left to be installed into a package.
  exclude: ['*'],
  // Each entry is one build, whose result is used once.
  skipRebuild: true,
  concurrency: 8,
});

// What `require` of this file returns, as the framework's plugin wants it.
export { options as 'module.exports' };
