import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bundleFunction } from '#functions/bundle.ts';

const project = resolve(__dirname, '..', '..');
let root: string;

beforeAll(() => {
  mkdirSync(join(project, '.build'), { recursive: true });
  root = mkdtempSync(join(project, '.build', 'bundle-test-'));
  mkdirSync(join(root, '.build', 'entries'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{ "devDependencies": { "fast-check": "1.0.0" } }');
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

test('a bundle that holds a development dependency is refused, with its name', async () => {
  const entry = join(root, '.build', 'entries', 'wrong.mjs');
  writeFileSync(entry, "export { integer } from 'fast-check';");

  await expect(bundleFunction(root, 'wrong')).rejects.toThrow('fast-check, a development dependency');
});

test('a bundle without one is made', async () => {
  writeFileSync(join(root, '.build', 'entries', 'right.mjs'), "export { ulid } from 'ulid';");

  const { outputs } = await bundleFunction(root, 'right');

  expect(Object.keys(outputs).join()).toContain('index.mjs');
});
