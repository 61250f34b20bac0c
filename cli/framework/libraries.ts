import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { librariesFolder } from '#functions/stacks/function-map.ts';

/** Names of processors, by those of AWS Lambda. */
const processors: Record<string, string> = { arm64: 'arm64', x86_64: 'x64' };

/**
 * Installs the libraries of `native/` for the functions' architecture, if `npm ci` has installed them for another one.
 *
 * @param architecture as in `serverless.yml`
 * @throws Error if it is unknown, or npm fails
 */
export function installLibraries(root: string, architecture: string): void {
  const cpu = processors[architecture];
  if (!cpu) throw new Error(`architecture in serverless.yml is ${architecture}: it takes arm64 or x86_64`);
  const folder = join(root, librariesFolder);
  const names = ['sharp-linux', 'sharp-libvips-linux'].map((name) => `node_modules/@img/${name}-${cpu}`);
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  if (names.every((name) => readVersion(join(folder, name)) === packages[name]?.version)) return;
  console.log(`Installing the libraries of ${librariesFolder}/ for ${architecture}`);
  const args = ['ci', '--no-audit', '--no-fund', '--os=linux', `--cpu=${cpu}`, '--libc=glibc'];
  const { status, stderr, error } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
  if (status === 0) return;
  throw new Error(`The libraries of ${librariesFolder}/ were not installed: ${error?.message ?? stderr}`);
}

/** Undefined if the package is not installed. */
function readVersion(folder: string): string | undefined {
  const file = join(folder, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined;
}
