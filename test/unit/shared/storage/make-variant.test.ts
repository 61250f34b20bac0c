import '../../../support/environment.ts';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import sharp from 'sharp';
import { variantNames, variantSizes } from '#shared/storage/naming/variant-path.ts';
import { makeVariant, PictureRefusedError } from '#shared/storage/variants/make-variant.ts';
import { createBomb, createPictures, createRefused } from './hostile-pictures.ts';

let pictures: Record<string, Buffer>;
let refused: Record<string, Buffer>;
beforeAll(async () => {
  [pictures, refused] = [await createPictures(), await createRefused()];
});

/** A variant or a refusal; everything else fails the test. */
async function attempt(bytes: Uint8Array, pixels = 160): Promise<'variant' | 'refusal'> {
  try {
    const { format, width, height, pages = 1 } = await sharp(await makeVariant(bytes, pixels)).metadata();
    expect({ format, pages }).toEqual({ format: 'webp', pages: 1 });
    expect(Math.max(width, height)).toBeLessThanOrEqual(pixels);
    return 'variant';
  } catch (error) {
    expect(error).toBeInstanceOf(PictureRefusedError);
    return 'refusal';
  }
}

describe('a variant', () => {
  test('is made of every kind of picture', async () => {
    for (const [kind, bytes] of Object.entries(pictures))
      expect([kind, await attempt(bytes)]).toEqual([kind, 'variant']);
  });

  test('is upright, in sRGB, and without metadata', async () => {
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const bytes = pictures[`a JPEG of orientation ${orientation}`] ?? Buffer.alloc(0);
      const made = await sharp(await makeVariant(bytes, 160)).metadata();
      const isTurned = orientation > 4;
      expect([made.width, made.height]).toEqual(isTurned ? [107, 160] : [160, 107]);
      expect([made.orientation, made.exif, made.icc]).toEqual([undefined, undefined, undefined]);
    }
    const wide = await makeVariant(pictures['a picture of another ICC profile'] ?? Buffer.alloc(0), 160);
    expect((await sharp(wide).metadata()).space).toBe('srgb');
  });

  test('has the ratio of its picture, and is never larger', async () => {
    for (const size of variantNames) {
      const { width, height } = await sharp(
        await makeVariant(pictures['a JPEG'] ?? Buffer.alloc(0), variantSizes[size]),
      ).metadata();
      const longest = Math.min(300, variantSizes[size]);
      expect([width, height]).toEqual([longest, Math.round((longest * 200) / 300)]);
    }
  });
});

describe('a file that is no picture, or a hostile one', () => {
  test('is refused', async () => {
    for (const [kind, bytes] of Object.entries(refused))
      expect([kind, await attempt(bytes)]).toEqual([kind, 'refusal']);
  });

  test('ends in a variant or a refusal, cut anywhere, with changed bytes, or of any declared size', async () => {
    const kinds = fc.constantFrom(...Object.values(pictures));
    const cut = fc
      .tuple(kinds, fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([bytes, part]) => bytes.subarray(0, Math.floor(bytes.length * part)));
    const changed = fc
      .tuple(kinds, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 }))
      .map(([bytes, changes]) => {
        const copy = Buffer.from(bytes);
        for (const [at, value] of changes) copy[at % copy.length] = value;
        return copy;
      });
    const bombs = fc
      .tuple(fc.nat(100_000), fc.nat(100_000), fc.nat(100_000))
      .map(([width, height, dataBytes]) => createBomb(width, height, dataBytes));

    await fc.assert(
      fc.asyncProperty(fc.oneof(cut, changed, bombs), async (bytes) => {
        await attempt(bytes);
      }),
      { numRuns: 200 },
    );
  }, 120_000);
});
