import fc, { type StringConstraints } from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };

/** Any character but a half of a surrogate pair. */
const character = fc.nat(0x10ffff - surrogates.count).map(
  (place) => String.fromCodePoint(place < surrogates.first ? place : place + surrogates.count),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== text) throw new Error('it is not one character');
    return code < surrogates.first ? code : code - surrogates.count;
  },
);

/**
 * What `fc.string({ unit: 'binary' })` makes, which lists every character that exists before its first string: a second
 * in each suite.
 */
export const anyString = (limits: Omit<StringConstraints, 'unit'> = {}): fc.Arbitrary<string> =>
  fc.string({ ...limits, unit: character });
