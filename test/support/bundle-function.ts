import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from '../../esbuild.config.ts';

/**
 * Bundles one function as it is packaged, into `.build/bundles/<name>/`: `index.mjs`, and a chunk for code that
 * loads on first use.
 *
 * @param root the project's folder, its entries generated
 * @returns what esbuild reports of inputs and outputs
 */
export async function bundleFunction(root: string, name: string) {
  const outdir = join(root, '.build', 'bundles', name);
  rmSync(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    ...bundleOptions,
    absWorkingDir: root,
    entryPoints: { index: join(root, '.build', 'entries', `${name}.mjs`) },
    outdir,
  });
  return metafile;
}
