import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { createTempDir } from '../support/local-server.ts';
import { instrument, listMutants } from './make-mutants.ts';

const changesOf = (source: string) =>
  listMutants('a.ts', source).map(({ start, end, text, kind }) => [
    kind,
    source.slice(0, start) + text + source.slice(end),
  ]);

describe('the mutants of a source', () => {
  test.each([
    ['a === b', [['comparison', 'a !== b']]],
    [
      'a >= 1',
      [
        ['comparison', 'a < 1'],
        ['number', 'a >= (1 + 1)'],
      ],
    ],
    [
      'f(a && b)',
      [
        ['logic', 'f(a || b)'],
        ['condition', 'f(a)'],
        ['condition', 'f(b)'],
      ],
    ],
    [
      'a && b && c',
      [
        ['condition', 'a && b'],
        ['condition', 'c'],
        ['condition', 'a && c'],
        ['condition', 'b && c'],
      ],
    ],
    ['true', [['boolean', 'false']]],
    ['!a', [['boolean', 'a']]],
    ["'a'", [['string', "''"]]],
    [
      'a ? b : c',
      [
        ['condition', 'true ? b : c'],
        ['condition', 'false ? b : c'],
      ],
    ],
    ["({ 'a': b })", []],
  ])('of the expression %s change one thing each', (expression, expected) => {
    const found = changesOf(`x = ${expression};`).filter(([kind]) => kind !== 'statement');

    expect(found).toEqual(expected.map(([kind, text]) => [kind, `x = ${text};`]));
  });

  test.each([
    ['throw error;', 'throw'],
    ['await save();', 'await'],
    ['save();', 'statement'],
  ])('leave out the statement %s', (statement, kind) => {
    expect(changesOf(`async () => { ${statement} };`)).toContainEqual([kind, 'async () => { ; };']);
  });

  test('change no types, imports and names', () => {
    const source =
      "import a from 'a';\nexport { b } from 'b';\ntype C = 'c' | 1;\nlet d: true;\nimport('e');";

    expect(changesOf(source).filter(([kind]) => kind !== 'statement')).toEqual([]);
  });
});

test('an instrumented source does the same, and records the blocks that run', () => {
  const source =
    'const isLarge = (n) => n > 1; function f(n) { if (isLarge(n)) { return 1; } else { return 2; } } f(2)';
  const log = join(createTempDir(), 'log');

  const result = runInNewContext(instrument('a.ts', source, log), { process });

  expect(result).toBe(1);
  // The whole file, the function, the arrow function and the first branch.
  expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual(['a.ts#0', 'a.ts#2', 'a.ts#1', 'a.ts#3']);
});
