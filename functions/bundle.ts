import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from '../esbuild.config.ts';

/** Functions that are bundled at the same time. */
const concurrency = 8;

/**
 * Bundles the entries of functions into `.build/bundles/<function>/`: `index.mjs`, and a chunk for what it
 * loads on first use. Complete: nothing is left to be found in `node_modules`. What is deployed counts as
 * installed, so each gets an install lock, which functions with a site gate package.
 *
 * @param root the project's folder, its entries generated
 * @param names of the functions
 * @returns the source files that each was made of, by its name
 */
export async function bundleFunctions(
  root: string,
  names: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const rest = [...names];
  const inputs = new Map<string, readonly string[]>();
  const workers = Array.from({ length: concurrency }, async () => {
    for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
      inputs.set(name, Object.keys((await bundleFunction(root, name)).inputs));
    }
  });
  await Promise.all(workers);
  return inputs;
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
  writeFileSync(join(outdir, 'install.lock'), '');
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
