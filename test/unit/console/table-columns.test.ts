import { expect, test } from '@jest/globals';
import {
  chooseColumns,
  moveColumn,
  noChoice,
  readChoice,
  switchColumn,
} from '#console/kit/lists/table-columns.ts';
import { field } from './field.ts';

const fields = [
  field('id', 'id'),
  field('title', 'text'),
  field('content', 'html'),
  field('version', 'integer'),
  field('extra', 'record'),
];
const names = (choice = noChoice, given = fields) => chooseColumns(given, choice).map(({ name }) => name);

test('shows the ID, and long or technical values, only if they are wanted; the ID last', () => {
  const withContent = switchColumn(noChoice, 'content', true);

  expect(names()).toEqual(['title']);
  expect(names(withContent)).toEqual(['title', 'content']);
  expect(names(switchColumn(withContent, 'id', true))).toEqual(['title', 'content', 'id']);
});

test('shows IDs that name records of a page, which are read as names', () => {
  const owner = field('owner', 'id', { refersTo: 'system/admin' });

  expect(names(noChoice, [...fields, owner])).toEqual(['title', 'owner']);
});

test('shows the ID if there is nothing else', () => {
  expect(names(noChoice, [field('id', 'id'), field('version', 'integer')])).toEqual(['id']);
});

test('remembers a hidden column, and shows a field that is new', () => {
  const choice = switchColumn(noChoice, 'title', false);

  expect(names(choice, [...fields, field('subtitle', 'text')])).toEqual(['subtitle']);
  expect(switchColumn(choice, 'title', true)).toEqual({ shown: ['title'], hidden: [], order: [] });
});

test.each([null, '', '{', '[]', '7', '"x"', '{"shown":7}'])('reads the stored choice %j', (text) => {
  expect(() => chooseColumns(fields, readChoice(text))).not.toThrow();
});

test('shows a rare column only if it is wanted', () => {
  const shown = (choice = noChoice) => chooseColumns(fields, choice, ['title']).map(({ name }) => name);

  expect(shown()).toEqual(['id']);
  expect(shown(switchColumn(noChoice, 'title', true))).toEqual(['title']);
});

test('comes back as it was stored', () => {
  const choice = switchColumn(switchColumn(noChoice, 'title', false), 'content', true);

  expect(readChoice(JSON.stringify(choice))).toEqual(choice);
});

test('moves a column among those that are shown, and no further than the ends', () => {
  const given = [field('title', 'text'), field('author', 'text'), field('price', 'integer')];
  const columns = chooseColumns(given, noChoice);
  const moved = moveColumn(noChoice, columns, 'price', -1);

  expect(names(moved, given)).toEqual(['title', 'price', 'author']);
  expect(names(moved, [...given, field('added', 'text')])).toEqual(['title', 'price', 'author', 'added']);
  expect(moveColumn(noChoice, columns, 'title', -1)).toEqual(noChoice);
  expect(moveColumn(noChoice, columns, 'price', 1)).toEqual(noChoice);
});
