import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../project.ts';

const biome = join(root, 'node_modules', '.bin', 'biome');

/** Sources as `npm run format` would write them. @throws Error naming the file that has an error */
export function formatSources(sources: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...sources].map(([file, text]) => [file, format(file, text)]));
}

function format(file: string, input: string): string {
  const { status, stdout, stderr } = spawnSync(biome, ['check', '--write', `--stdin-file-path=${file}`], {
    cwd: root,
    input,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${file} cannot be formatted:\n${stderr}`);
  return stdout;
}
