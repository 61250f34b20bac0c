import { join, resolve } from 'node:path';
import { afterEach } from '@jest/globals';
import { build } from 'esbuild';
import { bundleOptions } from '../../../../esbuild.config.ts';
import { createProject } from '../fixtures.ts';

const root = resolve(__dirname, '../../../..');
const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

/** The code of a function, all its files. @param entry path from the root */
export async function bundle(entry: string): Promise<string> {
  const options = { ...bundleOptions, sourcemap: false, write: false, logLevel: 'silent' } as const;
  const outdir = join(root, '.build', 'unwritten');
  const { outputFiles } = await build({ ...options, absWorkingDir: root, entryPoints: [entry], outdir });
  return outputFiles.map(({ text }) => text).join('\n');
}

/** Writes a source of a module, until the test ends. */
export function writeSource(source: string): string {
  const project = createProject({ 'modules/Shop/schema.ts': source });
  cleanUps.push(project.remove);
  return join(project.root, 'modules/Shop/schema.ts');
}

/** As {@link bundle}, of a source of a module. */
export const bundleSource = (source: string): Promise<string> => bundle(writeSource(source));
