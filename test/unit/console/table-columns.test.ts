import { expect, test } from '@jest/globals';
import { chooseColumns, noChoice, readChoice, switchColumn } from '#console/kit/lists/table-columns.ts';
import { field } from './field.ts';

const fields = [
  field('id', 'id'),
  field('title', 'text'),
  field('content', 'html'),
  field('version', 'integer'),
  field('extra', 'record'),
];
const names = (choice = noChoice, given = fields) => chooseColumns(given, choice).map(({ name }) => name);

test('shows the ID last, and long or technical values only if they are wanted', () => {
  expect(names()).toEqual(['title', 'id']);
  expect(names(switchColumn(noChoice, 'content', true))).toEqual(['title', 'content', 'id']);
});

test('remembers a hidden column, and shows a field that is new', () => {
  const choice = switchColumn(noChoice, 'title', false);

  expect(names(choice, [...fields, field('subtitle', 'text')])).toEqual(['subtitle', 'id']);
  expect(switchColumn(choice, 'title', true)).toEqual({ shown: ['title'], hidden: [] });
});

test.each([null, '', '{', '[]', '7', '"x"', '{"shown":7}'])('reads the stored choice %j', (text) => {
  expect(() => chooseColumns(fields, readChoice(text))).not.toThrow();
});

test('shows a rare column only if it is wanted', () => {
  const shown = (choice = noChoice) => chooseColumns(fields, choice, ['title']).map(({ name }) => name);

  expect(shown()).toEqual(['id']);
  expect(shown(switchColumn(noChoice, 'title', true))).toEqual(['title', 'id']);
});

test('comes back as it was stored', () => {
  const choice = switchColumn(switchColumn(noChoice, 'title', false), 'content', true);

  expect(readChoice(JSON.stringify(choice))).toEqual(choice);
});
