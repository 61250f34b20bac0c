import { expect, test } from '@jest/globals';
import { compareModels, mergeModels } from '#console/kit/records/conflict.ts';
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

test.each([
  { name: 'both added', mine: ['a', 'b', 'x'], stored: ['a', 'b', 'y'], own: ['a', 'b', 'y', 'x'] },
  { name: 'I took away, the other added', mine: ['a'], stored: ['a', 'b', 'y'], own: ['a', 'y'] },
  { name: 'I only sorted', mine: ['b', 'a'], stored: ['a', 'b', 'y'], own: ['b', 'a'] },
])('keeps both changes of a list: $name', ({ mine, stored, own }) => {
  const [found] = compareModels([field('l', 'list')], { l: ['a', 'b'] }, { l: mine }, { l: stored });

  expect(found).toMatchObject({ mine: own, stored, choice: 'mine' });
});

test('proposes the stored list if I did not change mine, and mine if only I did', () => {
  const compare = (mine: string[], stored: string[]) =>
    compareModels([field('l', 'list')], { l: ['a'] }, { l: mine }, { l: stored });

  expect(compare(['a'], ['b'])).toMatchObject([{ mine: ['a'], stored: ['b'], choice: 'stored' }]);
  expect(compare(['b', 'a'], ['a'])).toMatchObject([{ mine: ['b', 'a'], choice: 'mine' }]);
  expect(compare(['a', 'b'], ['a', 'b'])).toEqual([]);
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
