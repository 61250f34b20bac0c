import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { writeInput } from '#functions/discover/describe-tools.ts';

describe('writeInput', () => {
  test('contains names, types, bounds, defaults and descriptions', () => {
    const schema = z.strictObject({
      limit: z._default(z.int().check(z.gte(1), z.lte(20)), 5).check(z.describe('How many')),
      kind: z.optional(z.enum(['a', 'b'])).check(z.describe('Which')),
      ids: z.array(z.string()),
    });

    expect(writeInput(schema)).toEqual({
      type: 'object',
      properties: {
        limit: { type: 'integer', minimum: 1, maximum: 20, default: 5, description: 'How many' },
        kind: { type: 'string', enum: ['a', 'b'], description: 'Which' },
        ids: { type: 'array', items: { type: 'string' } },
      },
      required: ['ids'],
      additionalProperties: false,
    });
  });

  test('describes a tool without arguments', () => {
    expect(writeInput(z.strictObject({}))).toEqual({
      type: 'object',
      properties: {},
      additionalProperties: false,
    });
  });

  test('keeps a description to the place of its use', () => {
    const id = z.string();

    const first = writeInput(z.strictObject({ id: id.check(z.describe('Of the first')) }));
    const second = writeInput(z.strictObject({ id }));

    expect(first.properties).toEqual({ id: { type: 'string', description: 'Of the first' } });
    expect(second.properties).toEqual({ id: { type: 'string' } });
  });

  test('throws for a schema that JSON Schema cannot express', () => {
    expect(() => writeInput(z.strictObject({ at: z.date() }))).toThrow('Date cannot be represented');
  });
});
