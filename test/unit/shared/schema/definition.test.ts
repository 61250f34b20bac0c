import { expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { innerOf } from '#shared/schema/definition.ts';

const text = z.string();

test.each([
  ['optional', z.optional(text)],
  ['nullable', z.nullable(text)],
  ['nonoptional', z.nonoptional(text)],
  ['default', z._default(text, '')],
  ['prefault', z.prefault(text, '')],
  ['catch', z.catch(text, '')],
  ['readonly', z.readonly(text)],
])('finds the schema inside %s', (_kind, schema) => {
  expect(innerOf(schema)).toBe(text);
});

test.each([
  ['a text', text],
  ['an object', z.object({ text })],
  ['a promise, whose value is another', z.promise(text)],
  ['success, which is a boolean', z.success(text)],
])('finds none in %s', (_what, schema) => {
  expect(innerOf(schema)).toBeUndefined();
});
