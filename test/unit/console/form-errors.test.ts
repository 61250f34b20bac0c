import { expect, test } from '@jest/globals';
import { placeErrors } from '#console/kit/forms/form-errors.ts';
import { field } from './field.ts';

const fields = [
  field('title', 'text'),
  field('grants', 'list', { items: field('', 'text') }),
  field('items', 'list', { items: field('', 'object', { fields: [field('name', 'text')] }) }),
  field('place', 'object', { fields: [field('city', 'text')] }),
  field('tree', 'list'),
];
const place = (path: string) => [...placeErrors([{ path, message: 'no' }], fields).fields.keys()];

test.each([
  ['body.title', 'title'],
  ['query.title', 'title'],
  ['body.grants', 'grants'],
  ['body.grants.3', 'grants.3'],
  ['body.items.0.name', 'items.0.name'],
  ['body.place.city', 'place.city'],
  ['body.items.0.unknown', 'items.0'],
  ['body.place.unknown', 'place'],
  ['body.tree.0.children', 'tree'],
  ['body.title.deeper', 'title'],
  ['body.grants.length', 'grants'],
])('puts %s at the input %s', (path, input) => {
  expect(place(path)).toEqual([input]);
});

test('keeps errors of fields that the form does not show', () => {
  const errors = [
    { path: 'body.id', message: 'bad' },
    { path: 'body', message: 'worse' },
  ];

  expect(placeErrors(errors, fields)).toEqual({ fields: new Map(), others: errors });
});

test('joins several errors of one input', () => {
  const errors = [
    { path: 'body.title', message: 'Too short.' },
    { path: 'body.title', message: 'No digits.' },
  ];

  expect(placeErrors(errors, fields).fields).toEqual(new Map([['title', 'Too short. No digits.']]));
});
