import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { parseRange } from '#modules/System/files/serve-file.ts';

describe('parseRange', () => {
  it.each([
    undefined,
    '',
    'bytes=',
    'bytes=-',
    'bytes=5-4',
    'bytes=0-1,3-4',
    'items=0-1',
    'bytes=a-b',
    'bytes=1',
  ])('ignores %p', (header) => {
    expect(parseRange(header, 100)).toBeUndefined();
  });

  it('reads 100 characters, and refuses more', () => {
    const pad = (length: number) => `bytes=0${' '.repeat(length - 9)}-1`;

    expect(pad(100)).toHaveLength(100);
    expect(parseRange(pad(100), 100)).toEqual({ start: 0, end: 2 });
    expect(parseRange(pad(101), 100)).toBe('unsatisfiable');
  });

  it('stays within the file for every header', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 10_000 }), (a, b, size) => {
        const range = parseRange(`bytes=${a}-${b}`, size);
        if (typeof range !== 'object') return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.end).toBeGreaterThan(range.start);
        expect(range.end).toBeLessThanOrEqual(size);
      }),
    );
  });
});
