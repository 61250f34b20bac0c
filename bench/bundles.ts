import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Metafile, type Plugin } from 'esbuild';
import { bundleFunction } from '../test/support/bundle-function.ts';
import { listSdkFiles, sumBytes, sumStaticBytes } from './bundle-size.ts';

/** A bundled function. */
export interface Bundle {
  /** URL of its `index.mjs`. */
  url: string;
  /** Size of everything that loads with it. */
  sizeBytes: number;
  /** The same with what it loads on first use. */
  allBytes: number;
  /** Names of the files with code of the AWS SDK. */
  sdkFiles: string[];
}

/**
 * Bundles a function of this service as it is deployed, and copies it to a folder that no other build writes to.
 *
 * @param root the project's folder, its entries generated
 * @param folder where to
 */
export async function bundleOurs(root: string, name: string, folder: string): Promise<Bundle> {
  const metafile = await bundleFunction(root, name);
  mkdirSync(folder, { recursive: true });
  for (const file of Object.keys(metafile.outputs)) {
    if (file.endsWith('.mjs')) copyFileSync(join(root, file), join(folder, basename(file)));
  }
  return describe(metafile, folder);
}

/** Packages that Nest loads if they are installed; nothing here needs them. */
const optionalOfNest = [
  '@nestjs/microservices',
  '@nestjs/microservices/*',
  '@nestjs/websockets/*',
  'class-transformer',
  'class-validator',
];

const root = resolve(import.meta.dirname, '..');

/** Gives the handlers the service's own version of each package that both use: only the framework differs. */
export const sharedPackages: Plugin = {
  name: 'shared-packages',
  setup({ onResolve, resolve: find }) {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const names = Object.keys(dependencies);
    onResolve({ filter: /^[^./]/ }, ({ path, kind, resolveDir }) => {
      const isShared = names.some((name) => path === name || path.startsWith(`${name}/`));
      const isOwn = resolveDir !== root && !resolveDir.includes('node_modules');
      return isShared && isOwn ? find(path, { kind, resolveDir: root }) : undefined;
    });
  },
};

/**
 * Bundles a handler of `bench/peers` as is usual for Lambda: minified ES modules, `require` for
 * CommonJS, and the ES modules of packages that have both, so that unused code is dropped.
 *
 * @param file its path in that folder
 */
export async function bundlePeer(file: string, folder: string): Promise<Bundle> {
  const { metafile } = await build({
    entryPoints: { index: join(import.meta.dirname, 'peers', file) },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    external: optionalOfNest,
    plugins: [sharedPackages],
    metafile: true,
    logLevel: 'warning',
  });
  return describe(metafile, folder);
}

const describe = (metafile: Metafile, folder: string): Bundle => ({
  url: pathToFileURL(join(folder, 'index.mjs')).href,
  sizeBytes: sumStaticBytes(metafile),
  allBytes: sumBytes(metafile),
  sdkFiles: listSdkFiles(metafile),
});
