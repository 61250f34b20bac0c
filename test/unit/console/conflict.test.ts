import { expect, test } from '@jest/globals';
import { compareModels, mergeModels } from '#console/kit/conflict.ts';
import { field } from './field.ts';

const fields = ['a', 'b', 'c', 'd'].map((name) => field(name, 'text'));
const before = { a: '1', b: '1', c: '1', d: '1' };
const mine = { a: 'mine', b: '1', c: 'mine', d: '1' };
const stored = { a: '1', b: 'stored', c: 'stored', d: '1' };
const names = (choice: string) =>
  compareModels(fields, before, mine, stored).flatMap((each) =>
    each.choice === choice ? [each.field.name] : [],
  );

test('shows the fields whose values differ, and proposes mine if I changed it', () => {
  expect(names('mine')).toEqual(['a', 'c']);
  expect(names('stored')).toEqual(['b']);
});

test('shows nothing if both made the same change', () => {
  expect(compareModels(fields, before, mine, mine)).toEqual([]);
});

test('saves what was chosen over the stored values', () => {
  const differences = compareModels(fields, before, mine, stored);

  expect(mergeModels(stored, differences)).toEqual({ a: 'mine', b: 'stored', c: 'mine', d: '1' });
  expect(
    mergeModels(
      stored,
      differences.map((each) => ({ ...each, choice: 'stored' })),
    ),
  ).toEqual(stored);
});
