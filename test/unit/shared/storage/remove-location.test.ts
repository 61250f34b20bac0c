import { describe, expect, test } from '@jest/globals';
import ExifReader from 'exifreader';
import fc from 'fast-check';
import { removeLocation } from '#shared/storage/location/remove-location.ts';
import {
  chunk,
  directory,
  exifSegment,
  hour,
  jpeg,
  locatedPictures as pictures,
  png,
  segment,
  u16,
  u32,
  vp8x,
  webp,
} from '../../../fixtures/located-pictures.ts';

// By a library of others.
const readTags = (bytes: Uint8Array) => ExifReader.load(Buffer.from(bytes));
const locationsOf = (bytes: Uint8Array) =>
  Object.keys(readTags(bytes)).filter((name) => name.startsWith('GPS'));

describe('removeLocation', () => {
  test.each(Object.entries(pictures))('takes the position out of %s, and keeps the rest', (_, picture) => {
    expect(locationsOf(picture).length).toBeGreaterThan(0);
    const given = Buffer.from(picture);

    const cleared = removeLocation(picture) ?? Buffer.alloc(0);

    expect(locationsOf(cleared)).toEqual([]);
    expect(picture.equals(given)).toBe(true);
    expect(cleared).toHaveLength(picture.length);
    const others = (bytes: Uint8Array) =>
      Object.entries(readTags(bytes))
        .filter(([name]) =>
          ['Orientation', 'Model', 'ColorSpace', 'Image Width', 'Image Height'].includes(name),
        )
        .map(([name, tag]) => [name, tag.value]);
    expect(others(cleared)).toEqual(others(picture));
    expect(removeLocation(cleared)).toBeUndefined();
  });

  test('clears the values of the position, not only the way to them', () => {
    const cleared = Buffer.from(removeLocation(jpeg(exifSegment())) ?? []);
    expect(cleared.includes(Buffer.from(hour))).toBe(false);
  });

  test('reaches the preview behind a picture', () => {
    const cleared = Buffer.from(removeLocation(Buffer.concat([jpeg(), jpeg(exifSegment())])) ?? []);
    expect(cleared.includes(Buffer.from(hour))).toBe(false);
  });

  test.each([
    ['compressed XMP', chunk('iTXt', Buffer.from('XML:com.adobe.xmp\0\x01\0\0\0x'))],
    ['Exif as text', chunk('zTXt', Buffer.from('Raw profile type exif\0\0x'))],
  ])('leaves out of a PNG: %s', (_, part) => {
    expect(Buffer.from(removeLocation(png(part)) ?? []).equals(png())).toBe(true);
  });

  test.each([
    ['JPEG', jpeg()],
    ['PNG', png()],
    ['WebP', webp(['VP8X', vp8x])],
    ['text', Buffer.from('Exif\0\0MM\0* GPS')],
    ['nothing', Buffer.alloc(0)],
  ])('finds nothing in %s without a position', (_, bytes) => {
    expect(removeLocation(bytes)).toBeUndefined();
  });

  test('never throws, and never makes a picture larger, for hostile bytes', () => {
    const kinds = fc.constantFrom(...Object.values(pictures));
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 });
    fc.assert(
      fc.property(kinds, damage, fc.nat(400), (picture, changes, cut) => {
        const bytes = Buffer.from(picture.subarray(0, Math.max(12, picture.length - cut)));
        for (const [at, value] of changes) bytes[12 + (at % (bytes.length - 12))] = value;
        const cleared = removeLocation(bytes);
        const isShorter = cleared !== undefined && cleared.length <= bytes.length;
        return cleared === undefined || isShorter;
      }),
      { numRuns: 5000 },
    );
  });

  test.each([
    ['directories that point to themselves', () => hostileTiff([0x8769, 8])],
    ['a directory that is its own position', () => hostileTiff([0x8825, 8])],
    ['directories that each point to many that overlap', createOverlapping],
    ['positions only', () => hostileTiff(...Array.from({ length: 60_000 }, () => [0x8825, 20] as const))],
  ])('takes linear time for %s', (_, create) => {
    expect(() => removeLocation(png(chunk('eXIf', create())))).not.toThrow();
  });

  test('takes out what drones write, in any case', () => {
    const dji = Buffer.from(
      'http://ns.adobe.com/xap/1.0/\0<x drone-dji:GpsLatitude="+12.5" drone-dji:Model="a"/>',
    );
    const cleared = Buffer.from(removeLocation(jpeg(segment(dji))) ?? []).toString();
    expect([cleared.includes('12.5'), cleared.includes('drone-dji:Model="a"')]).toEqual([false, true]);
  });

  test('takes linear time for segments in segments, and for XMP that never ends', () => {
    const nested = Buffer.from('\xff\xe1\xff\xffExif\0\0MM\0*\0\0\0\x08', 'latin1');
    const open = Buffer.from('<exif:GPSa x:GPSb="'.repeat(3000));
    const many = Array.from({ length: 70 }, () =>
      segment(Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), open])),
    );
    expect(() =>
      removeLocation(Buffer.concat([jpeg(), ...Array.from({ length: 200_000 }, () => nested)])),
    ).not.toThrow();
    expect(() => removeLocation(jpeg(...many))).not.toThrow();
  });
});

/** Entries that each name 64 directories, which begin inside of other entries and are as large. */
function createOverlapping(): Buffer {
  const count = 65_520;
  const tableAt = 10 + count * 12 + 4;
  const entry = Buffer.from([...u16(0x014a), ...u16(4), ...u32(64), ...u32(tableAt)]);
  const table = Array.from({ length: 64 }, (_, index) => Buffer.from(u32(10 + index * 12 + 10)));
  const head = Buffer.from([...Buffer.from('MM\0*'), ...u32(8), ...u16(count)]);
  return Buffer.concat([head, ...Array.from({ length: count }, () => entry), Buffer.from(u32(0)), ...table]);
}

function hostileTiff(...entries: (readonly [tag: number, value: number])[]): Buffer {
  const all = entries.map(([tag, at]) => ({ tag, type: 4, count: 1, value: u32(at) }));
  return Buffer.from([...Buffer.from('MM\0*'), ...u32(8), ...directory(all)]);
}
