import { expect, test } from '@jest/globals';
import { readSources } from './read-sources.ts';

/** A literal that is only spread to share a line: `...{ a, b },` and `...['a', 'b'],`. */
const needless = /\.\.\.(?:\{[^{}]*\}|\[[^[\]]*\])(?=[,\s)\]}])/;

test.each([
  ['({ ...{ a, b }, c })', true],
  ["[...['a', 'b'], 'c']", true],
  ['({ ...(a && { b }), ...c })', false],
  ['[...[a, b].flat(), ...c]', false],
])('%s spreads a literal: %j', (source, isNeedless) => {
  expect(needless.test(source)).toBe(isNeedless);
});

test('no literal is spread to please the formatter', () => {
  const found = Object.entries(readSources(['shared', 'modules', 'functions', 'cli', 'console']))
    .filter(([, source]) => needless.test(source))
    .map(([file]) => file);

  expect(found).toEqual([]);
});
