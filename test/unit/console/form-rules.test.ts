import { expect, test } from '@jest/globals';
import { createModel } from '#console/fields/form-model.ts';
import { checkForm, findProblem, isDemanded } from '#console/fields/form-rules.ts';
import { field } from './field.ts';

const optional = { required: false };

test.each([
  [field('a', 'text', { minLength: 1 }), '', 'rule.required'],
  [field('a', 'text'), '', undefined],
  [field('a', 'text', { pattern: '^[a-z]+$' }), '', 'rule.required'],
  [field('a', 'text', { pattern: '^[a-z]+$' }), 'A', 'rule.pattern'],
  [field('a', 'text', { pattern: '^[a-z]+$' }), 'a', undefined],
  [field('a', 'text', { minLength: 1, nullable: true }), '', undefined],
  [field('a', 'secret', { minLength: 8 }), 'short', 'rule.short'],
  [field('a', 'text', { maxLength: 3 }), 'long', 'rule.long'],
  [field('a', 'integer'), undefined, 'rule.required'],
  [field('a', 'integer'), 1.5, 'rule.integer'],
  [field('a', 'number', { min: 2 }), 1.5, 'rule.min'],
  [field('a', 'integer', { max: 3 }), 4, 'rule.max'],
  [field('a', 'integer', { min: 0 }), 0, undefined],
  [field('a', 'enum'), undefined, 'rule.required'],
  [field('a', 'time'), undefined, 'rule.required'],
  [field('a', 'boolean'), undefined, undefined],
  [field('a', 'record'), '{', 'rule.json'],
  [field('a', 'record'), '{}', undefined],
  [field('a', 'list', { min: 1, items: field('', 'text') }), [], 'rule.required'],
  [field('a', 'list', { max: 1, items: field('', 'text') }), ['x', 'y'], 'rule.many'],
  [field('a', 'list', { items: field('', 'text') }), [], undefined],
])('finds the problem of one input (%#)', (described, value, key) => {
  expect(findProblem(described, value)?.key).toBe(key);
});

test('says what a pattern demands, in the words of its field', () => {
  const text = { zh_CN: '小写', en: 'Lower case' };

  expect(findProblem(field('a', 'text', { pattern: '^[a-z]+$', rule: text }), 'A')).toMatchObject({ text });
});

test('does not check optional fields that are not sent', () => {
  const fields = [field('old', 'text', { ...optional, maxLength: 3 })];
  const stored = createModel(fields, { old: 'longer than the rule of today' });

  expect(checkForm(fields, stored, stored).size).toBe(0);
  expect([...checkForm(fields, { old: 'also longer' }, stored).keys()]).toEqual(['old']);
});

test('refuses to empty an optional field that cannot be empty', () => {
  const fields = [
    field('name', 'text', { ...optional, minLength: 1 }),
    field('sort', 'integer', optional),
    field('parent', 'id', { ...optional, nullable: true }),
  ];
  const stored = createModel(fields, { name: 'A', sort: 1, parent: 'P' });

  expect([...checkForm(fields, createModel(fields), stored).keys()]).toEqual(['name', 'sort']);
});

test('names problems in lists and objects by their path', () => {
  const item = field('', 'object', {
    fields: [field('value', 'text', { minLength: 1 }), field('note', 'text', { ...optional, maxLength: 2 })],
  });
  const fields = [
    field('items', 'list', { items: item }),
    field('place', 'object', { ...optional, fields: item.fields ?? [] }),
  ];
  const before = createModel(fields);
  const items = [
    { value: 'a', note: '' },
    { value: '', note: 'long' },
  ];

  expect([...checkForm(fields, { ...before, items }, before).keys()]).toEqual([
    'items.1.value',
    'items.1.note',
  ]);
  expect([...checkForm(fields, { ...before, place: { value: '', note: 'ab' } }, before).keys()]).toEqual([
    'place.value',
  ]);
});

test('marks only fields that the service demands a value for', () => {
  expect(isDemanded(field('a', 'integer'))).toBe(true);
  expect(isDemanded(field('a', 'integer', optional))).toBe(false);
  expect(isDemanded(field('a', 'html'))).toBe(false);
  expect(isDemanded(field('a', 'integer', { default: 1 }))).toBe(false);
});
