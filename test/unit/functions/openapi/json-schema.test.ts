import '../../../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { createSchemaWriter } from '#functions/openapi/json-schema.ts';
import { fileCategoryId } from '#modules/System/files/category-id.ts';
import { dictQuery } from '#shared/dict/reader.ts';
import { mediaUrl } from '#shared/media/media-url.ts';
import { components } from '#shared/schema/component.ts';
import { pageQuery, queryFlag } from '#shared/schema/list.ts';
import { receivedFile } from '#shared/schema/received-file.ts';
import { text } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import { createWriter } from './fixture.ts';

const write = (schema: z.core.$ZodType, side: 'input' | 'output' = 'input') =>
  createWriter().write(schema, side);
const writeText = (schema: z.core.$ZodType) => createWriter().writeText(schema);

describe('a schema of a body or an answer', () => {
  test('refuses unknown fields if it is strict', () => {
    expect(write(z.strictObject({ a: z.optional(z.boolean()) }))).toEqual({
      type: 'object',
      properties: { a: { type: 'boolean' } },
      additionalProperties: false,
    });
  });

  test('describes a function rule by its message, and the length of a text', () => {
    expect(write(text(1, 50))).toEqual({
      type: 'string',
      minLength: 1,
      maxLength: 50,
      description: 'rule.text 1 50',
    });
    expect(write(text(0, 50))).toEqual({ type: 'string', maxLength: 50, description: 'rule.text 0 50' });
  });

  test('describes the expected value, not the fault', () => {
    const id = z.string().check(z.regex(/^[A-Z]$/, { error: 'rule.id' }));

    expect(write(id)).toEqual({ type: 'string', pattern: '^[A-Z]$' });
  });

  test('leaves out rules of whole objects', () => {
    const range = z.object({ a: z.string() }).check(z.refine(() => true, { error: 'rule.map_single' }));

    expect(write(range)).not.toHaveProperty('description');
  });

  test('leaves out rules of the stored form of media', () => {
    for (const side of ['input', 'output'] as const) {
      expect(write(mediaUrl(z.maxLength(5)), side)).toEqual({
        type: 'string',
        description: 'rule.media_url; rule.private_file',
      });
    }
  });

  test('describes a file as bytes', () => {
    expect(write(receivedFile)).toEqual({ type: 'string', format: 'binary' });
  });

  test('gives a time its format only, and a number no limits of all safe integers', () => {
    expect(write(z.iso.datetime())).toEqual({ type: 'string', format: 'date-time' });
    expect(write(z.int())).toEqual({ type: 'integer' });
    expect(write(z.int().check(z.gte(1)))).toEqual({ type: 'integer', minimum: 1 });
  });

  test('describes the input of a transformed value', () => {
    const ids = z.pipe(
      z.array(z.string()),
      z.transform((list: string[]) => [...new Set(list)]),
    );

    expect(write(ids)).toEqual({ type: 'array', items: { type: 'string' } });
  });

  test('refuses schemas that JSON Schema cannot express', () => {
    expect(() => write(z.custom<URL>(), 'output')).toThrow('cannot be represented');
  });
});

describe('a list of values', () => {
  const empty = { type: 'string', pattern: '^$' };
  const ones = { type: 'integer', enum: [1] };

  test.each<[string, z.core.$ZodType, object]>([
    ['with an empty text', z.enum(['', 'a']), { anyOf: [{ type: 'string', enum: ['a'] }, empty] }],
    ['with null', z.literal([1, null]), { anyOf: [ones, { type: 'null' }] }],
    ['of several types', z.literal([1, 'a']), { anyOf: [ones, { type: 'string', enum: ['a'] }] }],
    ['of empty texts only', z.enum(['']), empty],
    ['of one type', z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    ['of whole numbers', z.literal([1, 2]), { type: 'integer', enum: [1, 2] }],
    ['of numbers', z.literal([1.5, 2]), { type: 'number', enum: [1.5, 2] }],
  ])('%s has only enums that generators can name', (_title, schema, json) => {
    expect(write(schema)).toEqual(json);
  });

  test('accepts the same values as before', () => {
    const values = ['', 'a', 'b', 0, 1, 1.5, true, false, null];
    const given = fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 });
    fc.assert(
      fc.property(given, fc.constantFrom(...values), (allowed, value) => {
        const isFit = new Ajv2020({ strict: false }).validate(write(z.literal(allowed)), value);

        expect(isFit).toBe(allowed.includes(value));
      }),
    );
  });

  test('is one pattern as text', () => {
    const { type, pattern, ...rest } = writeText(z.literal(['', 'a', 1, '1']));

    expect([type, rest]).toEqual(['string', {}]);
    for (const value of ['', 'a', '1']) expect(value).toMatch(new RegExp(String(pattern)));
    for (const value of ['b', '11', ' ']) expect(value).not.toMatch(new RegExp(String(pattern)));
  });
});

describe('a schema of text', () => {
  test('is a number if it is parsed to one, with the default', () => {
    expect(writeText(pageQuery.page_size)).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 200,
      default: 20,
    });
  });

  test('is a list if it is parsed to one', () => {
    expect(writeText(dictQuery._zod.def.shape.type)).toMatchObject({
      type: 'array',
      items: { type: 'string', pattern: '^[a-z][a-z_]{1,63}$' },
      minItems: 1,
      maxItems: 50,
    });
  });

  test('has the words of a flag', () => {
    expect(writeText(z.optional(queryFlag))).toEqual({ type: 'string', enum: ['0', '1', 'false', 'true'] });
  });

  test('is empty in place of null as the default, with one pattern for its options', () => {
    const { type, pattern, default: usual } = writeText(fileCategoryId);

    const isFit = (value: string) => new RegExp(String(pattern)).test(value);
    expect([type, usual]).toEqual(['string', '']);
    expect(['', '01ARZ3NDEKTSV4RRFFQ69G5FAV'].every(isFit)).toBe(true);
    expect(['1', 'null', '01ARZ3NDEKTSV4RRFFQ69G5FA'].some(isFit)).toBe(false);
  });

  test('is not empty if null is not the default', () => {
    expect(writeText(z.nullable(z.string().check(z.regex(/^a$/))))).toEqual({
      type: 'string',
      pattern: '^a$',
    });
  });
});

describe('a schema with a name', () => {
  const named = z.strictObject({ a: z.string() }).register(components, { id: 'OpenapiTestThing' });
  const reference = { $ref: '#/components/schemas/OpenapiTestThing' };

  test('is written once, with references to it', () => {
    const writer = createWriter();

    expect(writer.write(named, 'output')).toEqual(reference);
    expect(writer.write(z.array(named), 'output')).toEqual({ type: 'array', items: reference });
    expect([...writer.components]).toEqual([
      ['OpenapiTestThing', expect.objectContaining({ type: 'object', required: ['a'] })],
    ]);
  });

  test('has a unique name', () => {
    const writer = createWriter();
    const other = z.strictObject({ b: z.string() }).register(components, { id: 'OpenapiTestThing' });
    writer.write(named, 'output');

    expect(() => writer.write(other, 'output')).toThrow(
      'the API reference has two schemas named OpenapiTestThing: register one by another id',
    );
  });
});

describe('a schema with a label', () => {
  const schema = z.strictObject({
    category: titled({ zh_CN: '分类', en: 'Category', dictionary: 'article_category' }, z.string()),
    cover: z.optional(titled({ zh_CN: '封面', en: 'Cover' }, z.string())),
    plain: z.optional(z.string()),
  });

  test.each(['zh_CN', 'en'] as const)('has it as its title, in %s', (locale) => {
    const labels = { zh_CN: ['分类', '封面'], en: ['Category', 'Cover'] }[locale];

    expect(createSchemaWriter((key) => key, locale).write(schema, 'input')).toMatchObject({
      properties: {
        category: { type: 'string', title: labels[0], 'x-dictionary': 'article_category' },
        cover: { type: 'string', title: labels[1] },
        plain: { type: 'string' },
      },
    });
  });

  test('has none without a locale', () => {
    expect(JSON.stringify(write(schema))).not.toMatch(/title|Category|dictionary/);
  });

  test('keeps it beside the reference to a component', () => {
    const named = z.strictObject({ a: z.string() }).register(components, { id: 'OpenapiTitledThing' });
    const holder = z.strictObject({ thing: titled({ zh_CN: '物', en: 'Thing' }, named) });
    const writer = createSchemaWriter((key) => key, 'en');

    expect(writer.write(holder, 'output')).toMatchObject({
      properties: { thing: { $ref: '#/components/schemas/OpenapiTitledThing', title: 'Thing' } },
    });
    expect(writer.components.get('OpenapiTitledThing')).not.toHaveProperty('title');
  });
});
