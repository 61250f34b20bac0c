import { copyFileSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { bundleFunction } from '#functions/bundle.ts';
import { listSdkFiles, sumStaticBytes } from './bundle-size.ts';

/** A bundled function. */
export interface Bundle {
  /** Of its `index.mjs`. */
  url: string;
  /** Of everything that loads with it. */
  sizeBytes: number;
  /** Names of the files with code of the AWS SDK. */
  sdkFiles: string[];
}

/**
 * Bundles a function of this service as it is deployed, and copies it to where nobody else builds.
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
  return {
    url: pathToFileURL(join(folder, 'index.mjs')).href,
    sizeBytes: sumStaticBytes(metafile),
    sdkFiles: listSdkFiles(metafile),
  };
}

/** Bundles a handler of `bench/bare` with what esbuild does by default, minified. */
export async function bundleBare(file: string, folder: string): Promise<Bundle> {
  const { metafile } = await build({
    entryPoints: { index: join(import.meta.dirname, 'bare', file) },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    metafile: true,
    logLevel: 'warning',
  });
  return {
    url: pathToFileURL(join(folder, 'index.mjs')).href,
    sizeBytes: sumStaticBytes(metafile),
    sdkFiles: listSdkFiles(metafile),
  };
}
