import { describe, expect, test } from '@jest/globals';
import { readFilter } from '#console/fields/filter-value.ts';
import { findProblem } from '#console/fields/form-rules.ts';
import { kindOf, kinds } from '#console/fields/kinds.ts';
import { columnWidth } from '#console/kit/lists/table-columns.ts';
import { fieldTypes } from '#functions/console/hints.ts';
import { field } from './field.ts';

test('each type of field has a file, and each file is a type', () => {
  expect(Object.keys(kinds).sort()).toEqual(fieldTypes.toSorted());
});

describe.each(fieldTypes)('a field of the type %s', (type) => {
  const one = field('one', type);

  test('begins without a value, and is sent as nothing or as an empty one', () => {
    const { model } = kindOf(one);

    const begun = model.begin(one, undefined, kindOf);
    expect([undefined, '', false, {}]).toContainEqual(begun);
    expect([undefined, '']).toContainEqual(model.empty(one));
  });

  test('has a filter whose input is at hand, and which reads what it wrote', () => {
    const shown = kindOf(one).filter.shown(one);

    expect(shown).toMatchObject({ name: 'one', required: false, nullable: false });
    expect(Object.keys(kinds)).toContain(shown.type);
    expect(readFilter(shown, '')).toBeUndefined();
  });

  test('has a column that is wide enough for its label', () => {
    expect(columnWidth(one, 'A label of many words')).toBeGreaterThanOrEqual(176);
    expect(columnWidth(one, '')).toBeGreaterThanOrEqual(96);
  });
});

test('a flag has three states as a filter, and reads what a form takes', () => {
  const flag = field('on', 'boolean');

  expect(kindOf(flag).filter.shown(flag)).toMatchObject({
    type: 'enum',
    options: [{ value: 'true' }, { value: 'false' }],
  });
  expect(['1', 'true', 'false'].map((text) => readFilter(flag, text))).toEqual([true, true, false]);
});

test('records of another page are chosen, for IDs of any type', () => {
  const ids = field('role_ids', 'list', { items: field('', 'text', { refersTo: 'system/role' }) });

  for (const each of [ids, field('role', 'id', { refersTo: 'system/role' })]) {
    expect(kindOf(each).input).not.toBe(kinds[each.type]?.input);
    expect(kindOf(each).filter.isTyped).toBeUndefined();
  }
});

test('a list of choices is chosen too, and a list without described items is JSON', () => {
  const choices = field('tags', 'list', { items: field('', 'enum', { options: [] }) });
  const tree = field('tree', 'list');

  expect(findProblem(tree, '{')).toEqual({ key: 'rule.json' });
  expect(kindOf(tree).column.isRare?.(tree)).toBe(true);
  expect(kindOf(choices).column.isRare?.(choices)).toBe(false);
  expect(kindOf(choices).model.begin(choices, undefined, kindOf)).toEqual([]);
});
