import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { expect, test } from '@jest/globals';
import { checkImports, type Sources } from './check-imports.ts';

const root = resolve(__dirname, '../..');
const folders = ['modules', 'shared', 'functions', 'cli'];

function readSources(): Sources {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => `${folder}/${file.split(sep).join('/')}`),
  );
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

test('finds the sources of every folder', () => {
  const files = Object.keys(readSources());

  for (const folder of folders) expect(files.some((file) => file.startsWith(`${folder}/`))).toBe(true);
});

test('the sources import each other only as the architecture allows', () => {
  const sources = readSources();

  const problems = checkImports(sources);

  expect(problems).toEqual([]);
});
