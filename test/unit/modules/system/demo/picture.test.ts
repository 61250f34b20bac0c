import { inflateSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { createPdf } from '#modules/System/demo/documents.ts';
import { drawAvatar, drawLandscape } from '#modules/System/demo/picture.ts';
import { checkContent } from '#shared/storage/checks/check-content.ts';

const readerOf = (bytes: Buffer) => async (start: number, end: number) => bytes.subarray(start, end);

test.each([
  { name: 'landscape', bytes: drawLandscape(5, 80, 45), width: 80, height: 45 },
  { name: 'avatar', bytes: drawAvatar(5), width: 144, height: 144 },
])('draws a PNG that uploads accept: $name', async ({ bytes, width, height }) => {
  await expect(
    checkContent({ ext: 'png', sizeBytes: bytes.length, readRange: readerOf(bytes) }),
  ).resolves.toBeUndefined();
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([width, height]);
  const start = bytes.indexOf('IDAT') + 4;
  const rows = inflateSync(bytes.subarray(start, start + bytes.readUInt32BE(start - 8)));
  expect(rows).toHaveLength((width + 1) * height);
  const colours = bytes.readUInt32BE(bytes.indexOf('PLTE') - 4) / 3;
  expect(Math.max(...rows)).toBeLessThan(colours);
});

test('draws the same picture for the same number, and another one for another', () => {
  expect(drawLandscape(1, 80, 45)).toEqual(drawLandscape(1, 80, 45));
  expect(drawLandscape(1, 80, 45)).not.toEqual(drawLandscape(7, 80, 45));
});

test('writes a PDF whose table leads to its objects', () => {
  const pdf = createPdf({ heading: 'A (b)', lines: ['one', 'two'] }).toString('latin1');

  const table = pdf.slice(Number(/startxref\n(\d+)/.exec(pdf)?.[1]));
  const offsets = [...table.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset));
  expect(table.startsWith('xref\n0 6\n')).toBe(true);
  expect(offsets.map((offset) => pdf.slice(offset, offset + 7))).toEqual(
    [1, 2, 3, 4, 5].map((n) => `${n} 0 obj`),
  );
  expect(pdf).toContain('(A \\(b\\)) Tj');
});
