import { expect, test } from '@jest/globals';
import { platform } from '#functions/discover/discover-owners.ts';
import type { ConfigGroup } from '#shared/settings/group.ts';
import { discoverShipped } from '../support/shipped-modules.ts';
import { readSources } from './read-sources.ts';

const withoutComments = (source: string): string => source.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');

/** The texts in quotes and the keys of objects. */
const listNames = (source: string): string[] =>
  [...withoutComments(source).matchAll(/'([^'\n]+)'|(?<=[{,\s])(\w+):/g)].map(
    ([, text, key = '']) => text ?? key,
  );

const listWords = (source: string): string[] => withoutComments(source).match(/\w+/g) ?? [];

/** Words of the product, in names and texts of the code. */
const productWord = /article|avatar|mobile|nickname|wechat/i;

const listKeys = (groups: readonly ConfigGroup[]): string[] =>
  groups.flatMap(({ keys }) => Object.keys(keys));

const sources = Object.entries(readSources(['shared']));

test('the platform creates every error code that it declares', () => {
  const created = new Set(
    sources.filter(([file]) => file !== platform.files.errors).flatMap(([, source]) => listNames(source)),
  );

  expect(Object.keys(platform.errors).filter((code) => !created.has(code))).toEqual([]);
});

test('the platform names no error code, throttle, setting, dictionary or tool of a module', async () => {
  const { modules, tools } = await discoverShipped();
  // The platform's own groups, such as those of engines, are named in it.
  const named = new Set(sources.flatMap(([, source]) => listNames(source)));
  const groups = modules.flatMap(({ manifest }) => manifest.configs ?? []);
  const platformKeys = new Set(listKeys(groups.filter(({ name }) => named.has(name))));
  const declared = [
    ...modules.flatMap(({ errors, throttles }) => [...Object.keys(errors), ...Object.keys(throttles)]),
    ...modules.flatMap(({ manifest }) => manifest.dictionaries ?? []).map(({ type_key }) => type_key),
    ...listKeys(groups.filter(({ name }) => !named.has(name))).filter((key) => !platformKeys.has(key)),
    ...tools.map(({ tool }) => tool.name),
  ];
  // A single word, such as `upload`, may mean anything.
  const own = new Set(declared.filter((name) => /[._-]/.test(name)));
  const found = sources.flatMap(([file, source]) =>
    listNames(source).flatMap((name) => (own.has(name) ? [`${file}: ${name}`] : [])),
  );

  expect(found).toEqual([]);
});

test('the platform has no word of the product in its code', () => {
  const found = sources.flatMap(([file, source]) =>
    listWords(source).flatMap((word) => (productWord.test(word) ? [`${file}: ${word}`] : [])),
  );

  expect(found).toEqual([]);
});
