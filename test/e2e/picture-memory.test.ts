import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import { pictureBounds } from '#shared/storage/variants/make-variant.ts';
import { createTempDir, projectRoot } from '../support/local-server.ts';

const folder = createTempDir();
/** Nearly 50 megapixels. */
const [width, height] = [8960, 5850];
const draw = (channels: 3 | 4) =>
  sharp({ create: { width, height, channels, background: { r: 90, g: 120, b: 20, alpha: 0.5 } } });

const pictures = {
  'photo.jpg': () => noise().jpeg({ quality: 90 }),
  'progressive.jpg': () => noise().jpeg({ progressive: true }),
  'upright.jpg': () => noise().withMetadata({ orientation: 6 }).jpeg(),
  'drawing.png': () => draw(4).png(),
  'interlaced.png': () => draw(3).png({ progressive: true, compressionLevel: 3 }),
  'frame.gif': () => draw(4).gif(),
  'lossless.webp': () => draw(4).webp({ lossless: true, effort: 0 }),
};
const noise = () =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 20 },
    },
  });

test.each(Object.entries(pictures))(
  'five variants of 50 megapixels take at most 512 MiB: %s',
  async (name, create) => {
    const file = join(folder, name);
    await create().toFile(file);
    expect(width * height).toBeGreaterThan(52_000_000);
    expect(statSync(file).size).toBeLessThan(pictureBounds.bytes);
    const worker = join(projectRoot, 'test/e2e/picture-memory-worker.ts');

    const { stdout } = await promisify(execFile)(process.execPath, [worker, file], { cwd: projectRoot });

    const { sizes, mebibytes } = JSON.parse(stdout);
    expect(sizes).toHaveLength(5);
    expect(mebibytes).toBeLessThan(512);
  },
  180_000,
);
