import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
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
  if (existsSync(join(folder, 'node_modules', '@img', `sharp-linux-${cpu}`, 'package.json'))) return;
  console.log(`Installing the libraries of ${librariesFolder}/ for ${architecture}`);
  const args = ['ci', '--no-audit', '--no-fund', '--os=linux', `--cpu=${cpu}`, '--libc=glibc'];
  const { status, stderr, error } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
  if (status === 0) return;
  throw new Error(`The libraries of ${librariesFolder}/ were not installed: ${error?.message ?? stderr}`);
}
