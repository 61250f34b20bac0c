import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from '../esbuild.config.ts';
import { fallbackName } from './generate.ts';
import type { Manifest } from './model.ts';

/** Functions that are bundled at the same time. */
const concurrency = 8;

/**
 * Bundles the entry of each function into `.build/bundles/<function>/`: `index.mjs`, and a chunk for what it
 * loads on first use. Complete: nothing is left to be found in `node_modules`. What is deployed counts as
 * installed, so functions with a site gate get the install lock too.
 *
 * @param root the project's folder, its entries generated
 */
export async function bundleFunctions(root: string, { routes, jobs, listeners }: Manifest): Promise<void> {
  const names = [fallbackName, ...[...routes, ...jobs, ...listeners].map(({ functionName }) => functionName)];
  rmSync(join(root, '.build', 'bundles'), { recursive: true, force: true });
  const workers = Array.from({ length: concurrency }, async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) await bundleFunction(root, name);
  });
  await Promise.all(workers);
  for (const { route, functionName } of routes) {
    if (route.area === 'api')
      writeFileSync(join(root, '.build', 'bundles', functionName, 'install.lock'), '');
  }
}

/** Bundles one function; answers what esbuild tells of inputs and outputs. */
export async function bundleFunction(root: string, name: string) {
  const outdir = join(root, '.build', 'bundles', name);
  rmSync(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    ...bundleOptions,
    absWorkingDir: root,
    entryPoints: { index: join(root, '.build', 'entries', `${name}.mjs`) },
    outdir,
  });
  assertNoDevDependency(root, name, Object.keys(metafile.inputs));
  return metafile;
}

/** @throws Error naming the function and the package, when a bundle holds what only development needs */
function assertNoDevDependency(root: string, name: string, inputs: string[]): void {
  const { devDependencies }: { devDependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const packages = inputs.map((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? '');
  const found = packages.find((each) => Object.hasOwn(devDependencies, each));
  if (found) throw new Error(`the bundle of ${name} holds ${found}, a development dependency`);
}
