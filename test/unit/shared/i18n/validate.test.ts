import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import type { Locale } from '#shared/i18n/locale.ts';
import { describeDetails } from '#shared/i18n/messages.ts';
import { createTexts } from '#shared/i18n/texts.ts';
import { validate } from '#shared/i18n/validate.ts';
import { text } from '#shared/schema/text.ts';

/** What a client sees of a value that does not fit. */
async function explain(schema: z.core.$ZodType, value: unknown, locale: Locale = 'en') {
  return describeDetails(validate(schema, value, 'body').issues ?? [], await createTexts(locale)());
}

const schema = z.strictObject({
  name: text(1, 3),
  items: z.optional(z.array(z.strictObject({ id: z.int() }))),
});

describe('validate', () => {
  test('reports every issue with its path', () => {
    const checked = validate(schema, { name: 'four', items: [{ id: 1 }, { id: 'x' }, 7], extra: 1 }, 'body');

    expect(checked.value).toBeUndefined();
    expect(checked.issues?.map(({ path }) => path)).toEqual([
      'body.name',
      'body.items.1.id',
      'body.items.2',
      'body.extra',
    ]);
  });

  test('reports each unknown field at any depth', async () => {
    const details = await explain(schema, { name: 'a', b: 1, c: 2, items: [{ id: 1, constructor: 3 }] });

    expect(details).toEqual([
      { path: 'body.items.0.constructor', message: 'Unknown field' },
      { path: 'body.b', message: 'Unknown field' },
      { path: 'body.c', message: 'Unknown field' },
    ]);
  });

  test('refuses half a character in every text and name, also where the schema takes any value', async () => {
    const open = z.object({ key: z.string(), more: z.unknown(), rest: z.record(z.string(), z.unknown()) });
    const given = { key: 'a\ud800', more: [{ deep: ['\udc00'] }, '😀'], rest: { 'b\ud800': 1, c: 2 } };

    expect(await explain(open, given)).toEqual(
      ['body.key', 'body.more.0.deep.0', 'body.rest'].map((path) => ({
        path,
        message: 'Holds broken characters',
      })),
    );
  });

  test('checks the characters of a deep value without recursion', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(200_000)}"\\ud800"${']'.repeat(200_000)}`);

    expect(validate(z.unknown(), deep, 'body').issues).toHaveLength(1);
    expect(validate(z.unknown(), { bytes: new Uint8Array(5) }, 'body').value).toBeDefined();
  });

  test('refuses an own __proto__', async () => {
    const details = await explain(schema, JSON.parse('{"name":"a","__proto__":{"admin":true}}'));

    expect(details).toEqual([{ path: 'body.__proto__', message: 'Unknown field' }]);
  });

  test('fills the placeholders of our own rules', async () => {
    const inEnglish = await explain(schema, { name: '' }, 'en');
    const inChinese = await explain(schema, { name: '' }, 'zh_CN');

    expect(inEnglish[0]?.message).toBe('Text of 1 to 3 characters without control characters');
    expect(inChinese[0]?.message).toBe('应为 1 到 3 个字符的文本，且不含控制字符');
  });

  test("uses the library's messages of the locale", async () => {
    const inEnglish = await explain(schema, {}, 'en');
    const inChinese = await explain(schema, {}, 'zh_CN');

    expect(inEnglish[0]?.message).toMatch(/^Invalid input: expected string/);
    expect(inChinese[0]?.message).toMatch(/^无效输入/);
  });

  test('says which type was sent', async () => {
    const details = await explain(schema, { name: 'a', items: [{ id: 'x' }] });

    expect(details[0]?.message).toMatch(/received string$/);
  });

  test('keeps the input out of what a log could show', () => {
    const checked = validate(schema, { name: 'a', items: ['a secret'] }, 'body');

    expect(inspect(checked, { depth: 9, showHidden: true })).not.toContain('a secret');
  });
});
