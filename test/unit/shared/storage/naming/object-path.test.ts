import '../../../../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { uploadConfig, uploadTypes } from '#shared/config/upload.ts';
import { createObjectPath, isObjectPath } from '#shared/storage/naming/object-path.ts';

const random = '0123456789abcdef01234567';

describe('createObjectPath', () => {
  test.each([
    ['2026-01-31T15:59:59Z', '20260131/235959'],
    ['2026-01-31T16:00:00Z', '20260201/000000'],
    ['2026-12-31T23:04:05Z', '20270101/070405'],
  ])('writes %s in the configured time zone', (now, expected) => {
    const path = createObjectPath({ type: 'image', ext: 'jpg' }, new Date(now));

    expect(path.slice(0, -28)).toBe(`uploads/image/${expected}`);
    expect(path.slice(-28)).toMatch(/^[0-9a-f]{24}\.jpg$/);
  });

  test('uses the current time by default', () => {
    const [before, path, after] = [Date.now(), createObjectPath({ type: 'file', ext: 'md' }), Date.now()];
    const paths = [before, after].map((now) => createObjectPath({ type: 'file', ext: 'md' }, new Date(now)));

    expect(paths.map((other) => other.slice(0, 28))).toContain(path.slice(0, 28));
  });

  test('makes unique paths, with all digits equally frequent', () => {
    const now = new Date();
    const paths = Array.from({ length: 5000 }, () => createObjectPath({ type: 'video', ext: 'mp4' }, now));
    const letters = paths.map((path) => path.slice(-28, -4)).join('');

    expect(new Set(paths).size).toBe(paths.length);
    for (const letter of random.slice(0, 16)) {
      expect(letters.split(letter).length / letters.length).toBeCloseTo(1 / 16, 2);
    }
  });

  test('makes paths that match for every type, extension and moment', () => {
    const type = fc.constantFrom(...uploadTypes);
    const moment = fc.date({ min: new Date('1971-01-01'), max: new Date('9998-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(type, fc.nat(), moment, (given, index, now) => {
        const { extensions } = uploadConfig[given];
        const ext = extensions[index % extensions.length];
        if (ext) expect(isObjectPath(createObjectPath({ type: given, ext }, now))).toBe(true);
      }),
    );
  });
});

describe('isObjectPath', () => {
  test('accepts a path of createObjectPath', () => {
    expect(isObjectPath(`uploads/image/20260131/235959${random}.jpg`)).toBe(true);
  });

  test.each([
    '',
    `/uploads/image/20260131/235959${random}.jpg`,
    `storage/uploads/image/20260131/235959${random}.jpg`,
    `uploads/image/20260131/235959${random}.jpg\n`,
    `uploads/image/20260131/235959${random}.jpg/`,
    `uploads/image/20260131/235959${random}.php`,
    `uploads/image/20260131/235959${random}.mp4`,
    `uploads/image/20260131/235959${random}.JPG`,
    `uploads/image/20260131/235959${random}`,
    `uploads/image/20260131/235959${random.toUpperCase()}.jpg`,
    `uploads/image/20260131/235959${random}0.jpg`,
    `uploads/image/20260131/235959${random.slice(1)}.jpg`,
    `uploads/image/20261331/235959${random}.jpg`,
    `uploads/image/20260132/235959${random}.jpg`,
    `uploads/image/20260100/235959${random}.jpg`,
    `uploads/image/20260131/245959${random}.jpg`,
    `uploads/image/20260131/236059${random}.jpg`,
    `uploads/audio/20260131/235959${random}.jpg`,
    `uploads/image/../20260131/235959${random}.jpg`,
    `uploads\\image\\20260131\\235959${random}.jpg`,
    `uploads//image/20260131/235959${random}.jpg`,
    `uploads/image/20260131/235959${random}.jpg%00`,
    `uploads/image/２０２６０１３１/235959${random}.jpg`,
  ])('does not know %j', (path) => {
    expect(isObjectPath(path)).toBe(false);
  });
});
