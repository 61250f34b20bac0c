import { describe, expect, jest, test } from '@jest/globals';
import { createTexts } from '#shared/i18n/texts.ts';

/** The messages of a module that counts how often each locale is loaded. */
function createModule() {
  const load = (text: string) =>
    jest.fn(async () => ({ default: { 'shop.closed': text, internal: 'Ours' } }));
  return { zh_CN: load('已打烊'), en: load('Closed') };
}

describe('createTexts', () => {
  test('loads nothing until texts are needed', () => {
    const shop = createModule();

    createTexts('en', [shop]);

    expect(shop.en).not.toHaveBeenCalled();
  });

  test.each([
    ['en', 'Closed', 'Internal error'],
    ['zh_CN', '已打烊', '服务器内部错误'],
  ] as const)('has the texts of a module and of the platform in %s', async (locale, closed, internal) => {
    const { t } = await createTexts(locale, [createModule()])();

    expect([t('shop.closed'), t('internal')]).toEqual([closed, internal]);
  });

  test('loads only its own locale, once', async () => {
    const shop = createModule();
    const texts = createTexts('en', [shop]);

    const [first, second] = [await texts(), await texts()];

    expect(second).toBe(first);
    expect(shop.en).toHaveBeenCalledTimes(1);
    expect(shop.zh_CN).not.toHaveBeenCalled();
  });

  test('loads again after a failure', async () => {
    const shop = createModule();
    shop.en.mockRejectedValueOnce(new Error('cannot be read'));
    const texts = createTexts('en', [shop]);

    await expect(texts()).rejects.toThrow('cannot be read');

    await expect(texts()).resolves.toBeDefined();
  });
});
