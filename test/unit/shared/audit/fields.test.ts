import '../../../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { describeFields, listKnownPaths } from '#shared/audit/fields.ts';
import { choice, label, secret, url } from '#shared/schema/marks.ts';

const keep = (schema: z.core.$ZodType, value: unknown) =>
  describeFields(z.object({ field: schema }), { field: value }).field;
const number: z.core.$ZodType = z.int();
const word = 'a text';
const long = 'x'.repeat(301);

describe('the fields of an entry', () => {
  test.each<[string, z.core.$ZodType, unknown, unknown]>([
    ['an enum', z.enum(['on', 'off']), 'on', 'on'],
    ['a literal', z.literal(['a', 1]), 1, 1],
    ['a boolean', z.boolean(), false, false],
    ['a number', z.number(), 1.5, 1.5],
    ['a ULID', z.ulid(), '01J00000000000000000000000', '01J00000000000000000000000'],
    ['a time', z.iso.datetime(), '2026-11-23T00:00:00Z', '2026-11-23T00:00:00Z'],
    ['a label', label(z.string()), word, word],
    ['a label with a further check', label(z.string()).check(z.maxLength(9)), word, word],
    ['an optional label', z.optional(label(z.string())), word, word],
    ['null', z.nullable(label(z.string())), null, null],
    ['a list of labels', z.array(label(z.string())), [word], [word]],
    ['an object', z.object({ a: z.int(), b: secret(z.string()) }), { a: 1, b: word }, { a: 1 }],
    ['a value after a check of any value', z.pipe(number, z.unknown()), 3, 3],
    ['the option that fits', z.union([z.literal(''), label(z.string())]), word, word],
  ])('keep %s', (_name, schema, value, kept) => {
    expect(keep(schema, value)).toEqual(kept);
  });

  test.each<[string, z.core.$ZodType, unknown, unknown]>([
    ['a text', z.string(), word, { length: 6 }],
    ['a label that is long', label(z.string()), long, { length: 301 }],
    ['texts', z.array(z.string()), [word, word], [{ length: 6 }, { length: 6 }]],
    ['a long list', z.array(z.int()), Array(60).fill(1), { length: 60, first: Array(50).fill(1) }],
    ['secrets', z.array(secret(z.string())), [word], { length: 1 }],
  ])('keep the length of %s', (_name, schema, value, kept) => {
    expect(keep(schema, value)).toEqual(kept);
  });

  test.each<[string, z.core.$ZodType, unknown]>([
    ['a secret', secret(z.string()), word],
    ['a secret with a further check', secret(z.string()).check(z.minLength(1)), word],
    ['an optional secret', z.optional(z.nullable(secret(z.string()))), word],
    ['a secret that is null', z.nullable(secret(z.string())), null],
    ['a secret that is checked again', z.pipe(secret(z.string()), z.string()), word],
    ['a secret that a label includes', z.union([label(z.string()), secret(z.string())]), word],
    ['a record', z.record(z.string(), z.string()), { [word]: word }],
    ['any value', z.unknown(), word],
    [
      'the output of a transformation',
      z.pipe(
        z.string(),
        z.transform((text) => [text]),
      ),
      word,
    ],
    ['a value that is no option', z.enum(['on']), word],
    ['a file', z.custom(), word],
    ['a field that the schema does not have', z.object({ a: z.int() }).check(), undefined],
  ])('keep nothing of %s', (_name, schema, value) => {
    expect(keep(schema, value)).toBeUndefined();
  });

  test('are cut to plain values if they are large', () => {
    const schema = z.object({ id: z.int(), list: z.array(label(z.string())) });
    const fields = describeFields(schema, { id: 1, list: Array(50).fill('€'.repeat(300)) });

    expect(fields).toEqual({ id: 1, size: expect.any(Number) });
  });
});

test('the paths of wrong input hold no name that the schema does not have', () => {
  const schema = z.object({
    title: z.string(),
    items: z.array(z.object({ name: z.string() })),
    place: z.optional(z.union([z.null(), z.object({ x: z.int() })])),
    values: z.record(z.string(), z.string()),
  });
  const paths = [
    ...['body.title', 'body.items.3.name', 'body.items.3.hunter2', 'body.hunter2', 'body.place.x'],
    ...['body.values.hunter2', 'body.toString', 'query.page', 'body.title'],
  ];

  expect(listKnownPaths(schema, 'body', paths)).toEqual([
    ...['body.title', 'body.items.3.name', 'body.items.3', 'body', 'body.place.x', 'body.values'],
  ]);
});

describe('of a text that anybody may send', () => {
  const schema = z.object({ kind: choice(z.string(), ['a', 'b']), at: url(z.string()) });

  test.each([
    [
      { kind: 'a', at: 'https://me:pw@app.example/cb?code=1#x' },
      { kind: 'a', at: 'https://app.example/cb' },
    ],
    [
      { kind: 'toString', at: 'no address' },
      { kind: { length: 8 }, at: { length: 10 } },
    ],
    [
      { kind: 'b', at: 'app:/cb?state=1' },
      { kind: 'b', at: 'app:/cb' },
    ],
  ])('%j keeps only %j', (value, kept) => {
    expect(describeFields(schema, value)).toEqual(kept);
  });
});
