import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { copyProject } from '../support/project-copy.ts';
import { runScript, runService } from '../support/run-service.ts';

// Commands of resources whose process is killed, and which are repeated. The unit tests kill them at every write.

const pages = ['docs/errors.md', 'docs/api.md', 'permissions.txt'];
const { root } = copyProject([...pages, 'biome.json', '.gitignore']);

/** Kills the process before it renames a file to the name in KILL_AT. */
const killer = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { renameSync } = fs;
fs.renameSync = (from, to) => {
  if (String(to).endsWith(process.env.KILL_AT)) {
    fs.writeSync(2, 'killed');
    process.kill(process.pid, 'SIGKILL');
  }
  renameSync(from, to);
};
syncBuiltinESMExports();`;

/** @returns whether it was killed */
async function isKilled(name: string, ...args: string[]): Promise<boolean> {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(killer)}`;
  const { complaint } = await runService(root, { NODE_OPTIONS, KILL_AT: name }, ...args);
  return complaint === 'killed';
}

function readTree(): string[] {
  const modules = readdirSync(join(root, 'modules'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  return [...pages, ...modules.sort()].map((file) => `${file}\n${readFileSync(join(root, file), 'utf8')}`);
}

let before: string[] = [];
let made: string[] | undefined;
beforeAll(async () => {
  // The pages of the project are about the modules of others too.
  expect(await runScript('cli/docs.ts', [], root, {})).toMatchObject({ code: 0 });
  before = readTree();
});
const make = ['resource:make', 'Shop', 'product', 'status:dict(shop_status)', '--open'];

test.each([
  ['product.json', 'uninstall.ts', 'permissions.txt'],
  ['modules.json', 'permissions.txt', 'modules.json'],
  ['list.ts', 'products.test.ts', 'api.md'],
])('comes to the same end after kills at %s, %s and %s', async (first, second, third) => {
  expect(await isKilled(first, ...make)).toBe(true);
  expect(await isKilled(second, ...make)).toBe(true);
  expect(await runService(root, {}, ...make)).toMatchObject({ code: 0, complaint: '' });
  made ??= readTree();
  expect(readTree()).toEqual(made);
  expect(await isKilled(third, ...make, '--undo')).toBe(true);
  expect(await runService(root, {}, ...make, '--undo')).toMatchObject({ code: 0, complaint: '' });

  expect(readTree()).toEqual(before);
});
