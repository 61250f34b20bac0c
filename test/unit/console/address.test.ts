import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readAddress, writeAddress } from '#console/pages/address.ts';

/** What vue-router makes of a hash on the way to the address bar and back. */
const viaBar = (hash: string): string => decodeURIComponent(encodeURI(hash));

test('any keys of a record stand in an address', () => {
  const keys = fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.toWellFormed()));
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z][\w-]*$/), keys, (action, values) => {
      expect(readAddress(viaBar(writeAddress({ action, keys: values })))).toEqual({ action, keys: values });
    }),
  );
});

test.each(['', '#', '#/x', '#two words', '#a=b', '#<script>'])('%j is no address of a record', (hash) => {
  expect(readAddress(hash)).toBeUndefined();
});

test('an address that was cut is read as far as it goes', () => {
  expect(readAddress('#edit/a%2')).toEqual({ action: 'edit', keys: ['a%2'] });
});
