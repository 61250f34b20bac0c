import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkDeclared } from '#modules/System/files/uploads/upload-rules.ts';
import { uploadConfig } from '#shared/config/upload.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { misleadingNames, oddNames } from '../../../../fixtures/hostile/names.ts';
import { anyString } from '../../../../support/any-string.ts';
import { catchRefusal } from '../../../shared/storage/checks/catch-refusal.ts';

const megabyte = 1_048_576;
const { image, video, file } = uploadConfig;
const configured = { image: image.maxSizeBytes, video: video.maxSizeBytes, file: file.maxSizeBytes };
const declare = (name: string, type = 'image', sizeBytes = 1) =>
  checkDeclared({ type, name, sizeBytes }, configured);

describe('checkDeclared', () => {
  test.each([
    ['photo.jpg', 'image', 'jpg'],
    ['photo.JPG', 'image', 'jpg'],
    ['photo.JpEg', 'image', 'jpeg'],
    ['shell.php.jpg', 'image', 'jpg'],
    ['.jpg', 'image', 'jpg'],
    ['../../a.svg', 'image', 'svg'],
    ['C:\\fakepath\\a.PNG', 'image', 'png'],
    ['a.b/c.gif', 'image', 'gif'],
    ['\u202egpj.a\0b.bmp', 'image', 'bmp'],
    ['a.WebM', 'video', 'webm'],
    ['合同.pdf', 'file', 'pdf'],
    ['README.md', 'file', 'md'],
    [`${'a'.repeat(10_000)}.txt`, 'file', 'txt'],
  ])('takes %j as %s %s', (name, type, ext) => {
    expect(declare(name, type)).toEqual({ type, ext });
  });

  test.each(misleadingNames)('refuses the extension of %j', async (name) => {
    const { code, status, params } = await catchRefusal(() => declare(name));

    expect([code, status]).toEqual(['upload.extension_not_allowed', 422]);
    expect(params).toEqual({ extensions: 'jpg, jpeg, png, gif, bmp, webp, svg' });
  });

  test.each([
    ['a.mp4', 'image'],
    ['a.jpg', 'video'],
    ['a.png', 'file'],
    ['a.pdf', 'image'],
    ['a.docm', 'file'],
    ['a.html', 'file'],
  ])('refuses %s as %s', async (name, type) => {
    expect(await catchRefusal(() => declare(name, type))).toMatchObject({
      code: 'upload.extension_not_allowed',
    });
  });

  test.each(['', 'Image', 'audio', 'constructor', '__proto__', 'image '])(
    'refuses the type %j',
    async (type) => {
      const { code, status, params } = await catchRefusal(() => declare('a.jpg', type));

      expect([code, status]).toEqual(['upload.type_unknown', 422]);
      expect(params).toEqual({ types: 'image, video, file' });
    },
  );

  test.each([
    ['image', 'a.jpg', 5],
    ['video', 'a.mp4', 50],
    ['file', 'a.pdf', 20],
  ])('lets %s pass at its limit and refuses one byte more', async (type, name, limit) => {
    expect(declare(name, type, limit * megabyte)).toMatchObject({ type });

    const { code, status, params } = await catchRefusal(() => declare(name, type, limit * megabyte + 1));
    expect([code, status]).toEqual(['upload.too_large', 413]);
    expect(params).toEqual({ limit });
  });

  test.each([0, -1, Number.NaN, Number.NEGATIVE_INFINITY])('calls %p bytes empty', async (sizeBytes) => {
    const { code, status } = await catchRefusal(() => declare('a.jpg', 'image', sizeBytes));

    expect([code, status]).toEqual(['upload.empty', 422]);
  });

  test('calls endless bytes too large', async () => {
    const refusal = await catchRefusal(() => declare('a.jpg', 'image', Number.POSITIVE_INFINITY));

    expect(refusal.code).toBe('upload.too_large');
  });

  test('answers every name with an allowed extension or an AppError', () => {
    const names = fc.oneof(
      anyString(),
      fc.constantFrom(...oddNames.map(([given]) => given)),
      fc.string().map((name) => `${name}.jpg`),
    );
    fc.assert(
      fc.property(names, (name) => {
        try {
          expect(name.toLowerCase().endsWith(`.${declare(name).ext}`)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
    );
  });
});
