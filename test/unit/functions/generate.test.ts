import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createTempDir } from '../../support/local-server.ts';
import { copyPlatform, moduleSource, routeSource, runProgram, writeProject } from './fixtures.ts';

/** Prints why it fails. */
const program = `
  const { generate } = await import('#functions/generate.ts');
  console.log(await generate(process.cwd()).then(() => 'generated', (error) => error.message));
`;

/** All generated files with their contents. */
function readGenerated(root: string): string[][] {
  const entries = readdirSync(join(root, '.build'), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')]);
}

test('writes and deletes nothing if a renamed route cannot be described', () => {
  const root = createTempDir();
  copyPlatform(root);
  const route = routeSource('admin.get');
  writeProject(root, {
    'modules/modules.json': '{ "Shop": { "enabled": true } }',
    'modules/Shop/module.ts': moduleSource('Shop'),
    'modules/Shop/Admin/a/old.ts': route,
  });
  const first = runProgram(root, program);
  const former = readGenerated(root);
  rmSync(join(root, 'modules/Shop/Admin/a/old.ts'));
  writeProject(root, {
    'modules/Shop/Admin/a/new.ts': route.replace('z.null()', 'z.null(), query: z.object({ at: z.date() })'),
  });
  const second = runProgram(root, program);

  expect(first).toBe('generated');
  expect(second).toMatch(/^modules\/Shop\/Admin\/a\/new\.ts: the API reference cannot describe it: /);
  expect(former.map(([name]) => name)).toContain('shop-admin-a-old.mjs');
  expect(readGenerated(root)).toEqual(former);
});
