import { inflateSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { fileTypeFromBuffer } from 'file-type';
import { createPicture } from '../../../bench/picture.ts';

test('is a PNG of 64 × 64 points, the same each time', async () => {
  const picture = createPicture();

  expect(await fileTypeFromBuffer(picture)).toEqual({ ext: 'png', mime: 'image/png' });
  expect([16, 20].map((at) => picture.readUInt32BE(at))).toEqual([64, 64]);
  const dataBytes = picture.readUInt32BE(33);
  expect(inflateSync(picture.subarray(41, 41 + dataBytes))).toHaveLength(64 * (1 + 64 * 3));
  expect(createPicture().equals(picture)).toBe(true);
});
