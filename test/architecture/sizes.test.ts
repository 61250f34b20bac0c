import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { checkSizes } from './check-console.ts';
import { readSources } from './read-sources.ts';

const root = resolve(__dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const build = 'esbuild.config.ts';
const sources = {
  ...readSources(['shared', 'modules', 'functions', 'cli', 'console']),
  [build]: read(build),
};

test('the product has short files and functions, and folders that can be read at a glance', () => {
  const lengths = Object.fromEntries(
    Object.keys(sources).map((file) => [file, read(file).split('\n').length - 1]),
  );

  expect(checkSizes(sources, lengths)).toEqual([]);
});
