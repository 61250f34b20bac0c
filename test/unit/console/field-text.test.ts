import { expect, test } from '@jest/globals';
import { toFieldText } from '#console/fields/field-text.ts';
import type { TextContext } from '#console/fields/kind.ts';
import { field } from './field.ts';

const context: TextContext = {
  localise: ({ en }) => en,
  yes: 'Yes',
  no: 'No',
  nameOf: (dictionary, value) => (dictionary === 'color' && value === 'r' ? 'Red' : undefined),
  referenceName: (path, id) => (path === 'shop/order' && id === 'o1' ? 'Order 1' : undefined),
  timeZone: 'UTC',
};
const status = field('status', 'enum', { options: [{ value: 1, label: { zh_CN: '开', en: 'Open' } }] });
const actor = field('actor', 'object', {
  fields: [field('kind', 'text'), field('id', 'id', { nullable: true })],
});

test.each([
  [field('a', 'text'), 'hello', 'hello'],
  [field('a', 'text', { nullable: true }), null, ''],
  [field('a', 'boolean'), false, 'No'],
  [field('a', 'boolean'), true, 'Yes'],
  [status, 1, 'Open'],
  [status, 2, '2'],
  [field('a', 'dictionary', { dictionary: 'color' }), 'r', 'Red'],
  [field('a', 'dictionary', { dictionary: 'color' }), 'x', 'x'],
  [field('a', 'time'), '2026-11-23T18:05:09Z', '2026-11-23 18:05'],
  [field('a', 'bytes'), 1536, '1.5 KB'],
  [field('a', 'integer'), 0, '0'],
  [field('a', 'list', { items: field('', 'text') }), ['x', 'y'], 'x, y'],
  [field('a', 'list', { items: status }), [1, 2], 'Open, 2'],
  [field('a', 'list', { items: actor }), [{ kind: 'x' }, { kind: 'y' }], 'x; y'],
  [field('a', 'list'), [{ b: 1 }], '[{"b":1}]'],
  [field('a', 'list'), [], ''],
  [actor, { kind: 'admin', id: 'A' }, 'admin'],
  [actor, { kind: null, id: 'A' }, 'A'],
  [field('a', 'id', { refersTo: 'shop/order' }), 'o1', 'Order 1'],
  [field('a', 'list', { items: field('', 'id', { refersTo: 'shop/order' }) }), ['o1', 'o2'], 'Order 1, o2'],
  [field('a', 'record'), { b: 1 }, '{"b":1}'],
  [field('a', 'any'), 'plain', 'plain'],
])('writes a value as text (%#)', (described, value, text) => {
  expect(toFieldText(described, value, context)).toBe(text);
});

test('writes exact values for an export', () => {
  const exact = { ...context, isExact: true };

  expect(toFieldText(field('a', 'bytes'), 1536, exact)).toBe('1536');
  expect(toFieldText(actor, { kind: 'admin', id: 'A' }, exact)).toBe('kind: admin, id: A');
  expect(toFieldText(field('a', 'time'), '2026-11-23T18:05:09Z', exact)).toBe('2026-11-23 18:05:09');
});
