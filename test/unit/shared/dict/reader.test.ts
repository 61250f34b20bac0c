import '../../../support/environment.ts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type DictEntry, dictEntries } from '#shared/dict/cache.ts';
import { dict, toGrouped, toMap } from '#shared/dict/reader.ts';

const open: DictEntry = {
  isEnabled: true,
  isPublic: true,
  options: [
    ['b', 'Beta'],
    ['007', 'Bond'],
    ['7', 'Seven'],
  ],
};
const inner: DictEntry = { ...open, isPublic: false };
const disabled: DictEntry = { ...open, isEnabled: false };
const nothing: DictEntry = { isEnabled: false, isPublic: false, options: [] };
const entries = new Map(Object.entries({ open, inner, disabled, nothing }));

/** A plain copy, to compare objects without a prototype. */
const plain = (value: object) => Object.fromEntries(Object.entries(value));

describe('toGrouped', () => {
  test('lists the options of each type in their order', () => {
    const grouped = toGrouped(new Map([['open', open]]));

    expect(plain(grouped)).toEqual({
      open: [
        { name: 'Beta', value: 'b' },
        { name: 'Bond', value: '007' },
        { name: 'Seven', value: '7' },
      ],
    });
  });

  test('returns an empty list to internal readers for unknown and disabled types', () => {
    const grouped = toGrouped(entries);

    expect(Object.keys(grouped)).toEqual(['open', 'inner', 'disabled', 'nothing']);
    expect([grouped.open?.length, grouped.inner?.length]).toEqual([3, 3]);
    expect([grouped.disabled, grouped.nothing]).toEqual([[], []]);
  });

  test('leaves out unknown, private and disabled types for public readers', () => {
    expect(Object.keys(toGrouped(entries, 'public'))).toEqual(['open']);
  });

  test('has no prototype, for any keys', () => {
    const grouped = toGrouped(new Map([['__proto__', open]]));

    expect(Object.getPrototypeOf(grouped)).toBeNull();
    expect(Object.keys(grouped)).toEqual(['__proto__']);
    expect(JSON.stringify(toGrouped(new Map([['constructor', nothing]])))).toBe('{"constructor":[]}');
  });
});

describe('toMap', () => {
  test('maps values to names unchanged', () => {
    expect(plain(toMap(open))).toEqual({ b: 'Beta', '007': 'Bond', '7': 'Seven' });
  });

  test.each([
    ['internal', undefined, 0],
    ['internal', disabled, 0],
    ['internal', nothing, 0],
    ['internal', inner, 3],
    ['public', undefined, 0],
    ['public', inner, 0],
    ['public', disabled, 0],
    ['public', open, 3],
  ] as const)('shows %s readers of %j %i values', (audience, entry, count) => {
    const map = toMap(entry, audience);

    expect(Object.keys(map)).toHaveLength(count);
    expect(Object.getPrototypeOf(map)).toBeNull();
  });

  test('accepts values such as constructor like any other', () => {
    const options: DictEntry['options'] = [
      ['__proto__', 'Proto'],
      ['constructor', 'Builder'],
    ];

    const map = toMap({ ...open, options });

    expect(map.toString).toBeUndefined();
    expect(map.constructor).toBe('Builder');
    expect(JSON.stringify(map)).toBe('{"__proto__":"Proto","constructor":"Builder"}');
  });
});

describe('dict', () => {
  const read = jest.spyOn(dictEntries, 'get');
  beforeEach(() => {
    read.mockImplementation(async (keys) => new Map(keys.map((key) => [key, entries.get(key) ?? nothing])));
  });
  afterEach(() => {
    read.mockReset();
  });

  test.each([
    ['open', ['open']],
    ['open, inner', ['open', 'inner']],
    ['open,open', ['open']],
    [
      ['inner', 'none', 'inner'],
      ['inner', 'none'],
    ],
  ])('gets %j with one read of each type', async (types, keys) => {
    const grouped = await dict.get(types);

    expect(Object.keys(grouped)).toEqual(keys);
    expect(read).toHaveBeenCalledTimes(1);
    expect(read).toHaveBeenCalledWith(keys);
  });

  test('returns an empty list for a type that does not exist', async () => {
    expect(plain(await dict.get('none'))).toEqual({ none: [] });
  });

  test('maps one type', async () => {
    expect(plain(await dict.map('inner'))).toEqual({ b: 'Beta', '007': 'Bond', '7': 'Seven' });
    expect(plain(await dict.map('disabled'))).toEqual({});
    expect(plain(await dict.map('none'))).toEqual({});
  });
});
