import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatConfigFile, parseConfigFile } from '#cli/config-file/format.ts';
import { content, marker } from './stages.ts';

const empty = { format: 1, dictionaries: [], roles: [], settings: {}, secrets: [] };
const item = { value: '1', name: 'One', sort: 0, status: 'enabled', remark: '' };
const type = { type_key: 'colour', name: 'Colours', enabled: true, public: true, remark: '', items: [] };

test('reads what it writes, and writes the same text in any order of the content', () => {
  fc.assert(
    fc.property(content, (given) => {
      const text = formatConfigFile({ format: 1, ...given });
      const file = parseConfigFile(text);
      const turned = {
        ...file,
        roles: file.roles.toReversed().map((role) => ({ ...role, grants: role.grants.toReversed() })),
        dictionaries: file.dictionaries
          .toReversed()
          .map((each) => ({ ...each, items: each.items.toReversed() })),
      };

      expect(formatConfigFile(turned)).toBe(text);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['another format', { format: 2 }, 'The file has format 2; this code reads format 1'],
  ['a part that is missing', { roles: undefined }, 'roles: '],
  ['a part that is unknown', { users: [] }, 'users: '],
  [
    'a duplicate value',
    { dictionaries: [{ ...type, items: [item, item] }] },
    'dictionaries.0.items.1.value: ',
  ],
  ['a duplicate type', { dictionaries: [type, type] }, 'dictionaries.1.type_key: '],
  ['a type key', { dictionaries: [{ ...type, type_key: 'Colour' }] }, 'dictionaries.0.type_key: '],
  ['an ID', { roles: [{ id: '1', name: 'a', remark: '', grants: [] }] }, 'roles.0.id: '],
  ['a grant', { roles: [{ name: 'a', remark: '', grants: ['a:all'] }] }, 'roles.0.grants.0: '],
  ['a group without keys', { settings: { basics: 1 } }, 'settings.basics: '],
])('refuses %s, with its place', (_, given, place) => {
  expect(() => parseConfigFile(JSON.stringify({ ...empty, ...given }))).toThrow(place);
});

test('refuses a name that an object has twice', () => {
  const text = '{"format":1,"settings":{"page":{"title":"a","ti\\u0074le":"b"}},"secrets":[]}';

  expect(() => parseConfigFile(text)).toThrow('twice');
});

test('shows nothing of a file that is not JSON', () => {
  expect(() => parseConfigFile(`{"key": ${marker}`)).toThrow(/^The file is not JSON$/);
});
