import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { createTranslate } from '#shared/i18n/messages.ts';
import { validate } from '#shared/i18n/validate.ts';
import { text } from '#shared/schema/text.ts';

const english = { root: 'body', locale: 'en', t: createTranslate('en') } as const;
const chinese = { root: 'body', locale: 'zh_CN', t: createTranslate('zh_CN') } as const;

const schema = z.strictObject({
  name: text(1, 3),
  items: z.optional(z.array(z.strictObject({ id: z.int() }))),
});

describe('validate', () => {
  test('returns the parsed value', () => {
    const checked = validate(schema, { name: ' ab ', items: [{ id: 1 }] }, english);

    expect(checked).toEqual({ value: { name: 'ab', items: [{ id: 1 }] } });
  });

  test('reports every issue with its path', () => {
    const checked = validate(schema, { name: 'four', items: [{ id: 1 }, { id: 'x' }, 7], extra: 1 }, english);

    expect(checked.value).toBeUndefined();
    expect(checked.issues?.map(({ path }) => path)).toEqual([
      'body.name',
      'body.items.1.id',
      'body.items.2',
      'body.extra',
    ]);
  });

  test('reports each unknown field at any depth', () => {
    const checked = validate(schema, { name: 'a', b: 1, c: 2, items: [{ id: 1, constructor: 3 }] }, english);

    expect(checked.issues).toEqual([
      { path: 'body.items.0.constructor', message: 'Unknown field' },
      { path: 'body.b', message: 'Unknown field' },
      { path: 'body.c', message: 'Unknown field' },
    ]);
  });

  test.each([null, [], 'text', 7, undefined])('reports %j in place of an object at the root', (value) => {
    const checked = validate(schema, value, english);

    expect(checked.issues?.map(({ path }) => path)).toEqual(['body']);
  });

  test('refuses an own __proto__', () => {
    const checked = validate(schema, JSON.parse('{"name":"a","__proto__":{"admin":true}}'), english);

    expect(checked.issues).toEqual([{ path: 'body.__proto__', message: 'Unknown field' }]);
  });

  test('fills the placeholders of our own rules', () => {
    const inEnglish = validate(schema, { name: '' }, english);
    const inChinese = validate(schema, { name: '' }, chinese);

    expect(inEnglish.issues?.[0]?.message).toBe('Text of 1 to 3 characters without control characters');
    expect(inChinese.issues?.[0]?.message).toBe('应为 1 到 3 个字符的文本，且不含控制字符');
  });

  test("uses the library's messages of the locale", () => {
    const inEnglish = validate(schema, {}, english);
    const inChinese = validate(schema, {}, chinese);

    expect(inEnglish.issues?.[0]?.message).toMatch(/^Invalid input: expected string/);
    expect(inChinese.issues?.[0]?.message).toMatch(/^无效输入/);
  });

  test('begins the paths with the given root', () => {
    const checked = validate(z.object({ page_no: z.int() }), { page_no: 'x' }, { ...english, root: 'query' });

    expect(checked.issues?.map(({ path }) => path)).toEqual(['query.page_no']);
  });
});
