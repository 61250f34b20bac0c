import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

// `node bench/install.ts`: installs the frameworks of the comparison. The service and its tests do not need them.

const folder = import.meta.dirname;
const toTime = (file: string): number =>
  statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Installs the packages of `bench/` if they are missing or older than its lock file. */
export function installPackages(): void {
  if (toTime('node_modules/.package-lock.json') >= toTime('package-lock.json')) return;
  console.error('Installing the packages of bench/: npm ci --prefix bench');
  const { status } = spawnSync('npm', ['ci', '--prefix', folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error('npm ci --prefix bench failed');
}

if (import.meta.main) installPackages();
