import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkBundles } from '#functions/bundle/check-bundles.ts';
import { listPackages } from '#functions/bundle/keep-chunks-apart.ts';
import { bundleFunction } from '../support/bundle-function.ts';

const project = resolve(__dirname, '..', '..');
let root: string;

beforeAll(() => {
  mkdirSync(join(project, '.build'), { recursive: true });
  root = mkdtempSync(join(project, '.build', 'bundle-test-'));
  mkdirSync(join(root, '.build', 'entries'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{ "devDependencies": { "fast-check": "1.0.0" } }');
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Bundles an entry with this source, and checks the content. */
async function check(name: string, source: string): Promise<void> {
  writeFileSync(join(root, '.build', 'entries', `${name}.mjs`), source);
  const inputs = Object.keys((await bundleFunction(root, name)).inputs);
  const report = { inputs, packages: listPackages(inputs), outputs: [], sources: [] };
  checkBundles(root, 'system', [], new Map([[name, report]]));
}

test('a bundle that holds a development dependency is refused, with its name', async () => {
  await expect(check('wrong', "export { integer } from 'fast-check';")).rejects.toThrow(
    'the bundle of wrong holds fast-check, a development dependency',
  );
});

test('accepts a bundle without one', async () => {
  await expect(check('right', "export { ulid } from 'ulid';")).resolves.toBeUndefined();
});
