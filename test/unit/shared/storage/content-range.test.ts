import { describe, expect, test } from '@jest/globals';
import { bringsRange, toRangeHeader } from '#shared/storage/engines/cloud-requests.ts';

describe('a range', () => {
  test('is requested by its first and last byte', () => {
    expect(toRangeHeader({ start: 10, end: 20 })).toBe('bytes=10-19');
  });

  test.each([
    ['all of it', 'bytes 10-19/100', 10],
    ['what there is of it', 'bytes 10-14/15', 5],
  ])('is brought by %s', (_name, header, sizeBytes) => {
    expect(bringsRange(header, sizeBytes, { start: 10, end: 20 })).toBe(true);
  });

  test.each([
    ['one that begins before', 'bytes 9-19/100', 11],
    ['one that begins behind', 'bytes 11-19/100', 9],
    ['one that ends before', 'bytes 10-18/100', 9],
    ['one that ends behind', 'bytes 10-20/100', 11],
    ['fewer bytes than it says', 'bytes 10-19/100', 9],
    ['more bytes than it says', 'bytes 10-19/100', 11],
    ['a range of an unknown size', 'bytes 10-19/*', 10],
    ['none that is', 'bytes */100', 0],
    ['other units', 'lines 10-19/100', 10],
    ['no word of it', undefined, 10],
  ])('is not brought by %s', (_name, header, sizeBytes) => {
    expect(bringsRange(header, sizeBytes, { start: 10, end: 20 })).toBe(false);
  });
});
