import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { readSources } from './read-sources.ts';

const config = 'esbuild.config.ts';
const sources = {
  ...readSources(['functions', 'cli', 'console']),
  [config]: readFileSync(resolve(__dirname, '../..', config), 'utf8'),
};

test('plugins of builds change a source by its syntax tree, not by patterns', () => {
  const plugins = Object.entries(sources).filter(([, source]) => /\bonLoad\(|\btransform: \{/.test(source));

  expect(plugins.map(([file]) => file)).toContain(config);
  expect(plugins.filter(([, source]) => /\.replace(?:All)?\(/.test(source)).map(([file]) => file)).toEqual(
    [],
  );
});
