import '../../../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import type { Field } from '#functions/console/description.ts';
import { describeFields } from '#functions/console/fields.ts';
import { mediaHtml } from '#shared/media/media-html.ts';
import { mediaUrl } from '#shared/media/media-url.ts';
import { uniqueText } from '#shared/records/fields/values.ts';
import { queryFlag } from '#shared/schema/list.ts';
import { label, secret } from '#shared/schema/marks.ts';
import { receivedFile } from '#shared/schema/received-file.ts';
import { integerText, optionalUrl, recordId, text } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';

const name = { zh_CN: '名称', en: 'Name' };

function describeOne(schema: z.core.$ZodType, side: 'input' | 'output' | 'text' = 'input'): Partial<Field> {
  const [field] = describeFields(z.object({ a: schema }), side);
  const { name: _name, label: _label, ...rest } = field ?? {};
  return rest;
}

const needed = { required: true, nullable: false };

describe('a field', () => {
  test('says what its pattern demands, if the platform has words for it', () => {
    const one = (error: string) => describeOne(z.string().check(z.regex(/^a/, { error })));

    expect(one('rule.value')).toMatchObject({ rule: { en: expect.stringContaining('ASCII') } });
    expect(one('rule.unknown')).not.toHaveProperty('rule');
  });

  test.each<[string, z.core.$ZodType, Partial<Field>]>([
    ['a text with limits', text(1, 50), { type: 'text', minLength: 1, maxLength: 50 }],
    [
      'a text of several lines',
      titled({ ...name, type: 'multiline' }, text(0, 9)),
      { type: 'multiline', maxLength: 9 },
    ],
    ['a text with a pattern', z.string().check(z.regex(/^a+$/)), { type: 'text', pattern: '^a+$' }],
    ['a URL that may be empty', optionalUrl(500), { type: 'text', maxLength: 500 }],
    ['an integer', z.int().check(z.gte(1), z.lte(9)), { type: 'integer', min: 1, max: 9 }],
    ['a number', z.number(), { type: 'number' }],
    [
      'a unique text',
      z.optional(uniqueText(text(1, 40))),
      { type: 'text', required: false, minLength: 1, maxLength: 40, isUnique: true },
    ],
    ['a boolean', z.boolean(), { type: 'boolean' }],
    ['a time', z.iso.datetime(), { type: 'time' }],
    ['a time that is a plain text', titled({ ...name, type: 'time' }, z.string()), { type: 'time' }],
    ['a size', titled({ ...name, type: 'bytes' }, z.int()), { type: 'bytes' }],
    ['a secret', secret(z.string()), { type: 'secret' }],
    [
      'a secret with a label',
      titled(name, z.optional(secret(z.string()))),
      { type: 'secret', required: false },
    ],
    ['an ID', titled({ ...name, refersTo: 'shop/order' }, recordId), { type: 'id', refersTo: 'shop/order' }],
    [
      'a value of a dictionary',
      titled({ ...name, dictionary: 'shop_kind' }, label(z.string())),
      { type: 'dictionary', dictionary: 'shop_kind' },
    ],
    ['a picture', titled({ ...name, media: 'image' }, mediaUrl()), { type: 'media', media: 'image' }],
    ['the URL of any file', mediaUrl(), { type: 'media', media: 'file' }],
    ['rich text', mediaHtml(), { type: 'html' }],
    ['a file', titled(name, receivedFile), { type: 'file' }],
    ['a record', z.record(z.string(), z.unknown()), { type: 'record' }],
    ['anything', z.unknown(), { type: 'any', required: true }],
    ['one of several kinds', z.union([z.string(), z.number(), z.null()]), { type: 'any', nullable: true }],
    ['optional', z.optional(z.boolean()), { type: 'boolean', required: false }],
    ['null or a value', z.nullable(z.boolean()), { type: 'boolean', nullable: true }],
    ['with a default', z._default(z.boolean(), true), { type: 'boolean', required: false, default: true }],
    [
      'a list',
      z.array(z.int()).check(z.minLength(1), z.maxLength(5)),
      {
        type: 'list',
        min: 1,
        max: 5,
        items: { name: '', label: { zh_CN: '', en: '' }, type: 'integer', ...needed },
      },
    ],
    [
      'an object',
      z.strictObject({ b: titled(name, z.boolean()) }),
      { type: 'object', fields: [{ name: 'b', label: name, type: 'boolean', ...needed }] },
    ],
  ])('is %s', (_title, schema, expected) => {
    const { pattern, rule: _rule, ...field } = describeOne(schema);

    expect(expected.type === 'id' ? field : { ...field, ...(pattern && { pattern }) }).toEqual({
      ...needed,
      ...expected,
    });
  });

  test.each<[string, z.core.$ZodType, Partial<Field>]>([
    ['a number', integerText(1, 200), { type: 'integer', min: 1, max: 200 }],
    ['a flag', queryFlag, { type: 'boolean' }],
  ])('that is sent as text is %s', (_title, schema, expected) => {
    expect(describeOne(schema, 'text')).toEqual({ ...needed, ...expected });
  });

  test('of an answer has neither limits nor a default, and is always there if it has one', () => {
    const schema = z._default(z.int().check(z.gte(1)), 1);

    expect(describeOne(schema, 'output')).toEqual({ type: 'integer', ...needed });
    expect(describeOne(schema)).toEqual({
      type: 'integer',
      required: false,
      nullable: false,
      default: 1,
      min: 1,
    });
  });

  test.each([
    ['an enum', z.enum(['on', 'off']), ['on', 'off']],
    ['literals', z.literal([1, 2]), [1, 2]],
  ])('has the values of %s, with labels if it has some', (_title, schema, values) => {
    const [first = '', second = ''] = values.map(String);
    const labels = { [first]: { zh_CN: '甲', en: 'A' } };

    expect(describeOne(titled({ ...name, options: labels }, z.optional(schema)))).toMatchObject({
      type: 'enum',
      options: [
        { value: values[0], label: { zh_CN: '甲', en: 'A' } },
        { value: values[1], label: { zh_CN: second, en: second } },
      ],
    });
  });

  test('has its label under all that wraps its schema, and the outer one wins', () => {
    const inner = titled(name, z.string());
    const wrapped = [
      z.optional(inner),
      z.nullable(z._default(inner, 'a')),
      z.pipe(inner, z.transform(Number)),
    ];
    const outer = titled({ zh_CN: '别名', en: 'Alias' }, z.optional(inner));

    const labels = [...wrapped, outer].map(
      (schema) => describeFields(z.object({ a: schema }), 'input')[0]?.label,
    );
    expect(labels).toEqual([name, name, name, { zh_CN: '别名', en: 'Alias' }]);
  });

  test('has its own name as label if its schema has none', () => {
    expect(describeFields(z.object({ a: z.string() }), 'input')[0]?.label).toEqual({ zh_CN: 'a', en: 'a' });
  });

  test('of a tree ends where the tree repeats', () => {
    const node: z.ZodMiniType = z.object({
      a: z.string(),
      get children() {
        return z.array(node);
      },
    });

    const [, children] = describeFields(node, 'output');
    expect(children).toMatchObject({ name: 'children', type: 'list' });
    expect(children).not.toHaveProperty('items');
  });

  test.each([
    ['a missing schema', undefined],
    ['null', z.null()],
    ['a list', z.array(z.string())],
    ['a text', z.string()],
  ])('is not found in %s', (_title, schema) => {
    expect(describeFields(schema, 'input')).toEqual([]);
  });
});

test("an answer's own ID is shown as one, also if its schema is any text", () => {
  const schema = z.object({ id: z.string(), note: z.string() });

  expect(describeFields(schema, 'output').map(({ type }) => type)).toEqual(['id', 'text']);
  expect(describeFields(schema, 'input').map(({ type }) => type)).toEqual(['text', 'text']);
});
