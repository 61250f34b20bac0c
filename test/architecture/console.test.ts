import { describe, expect, test } from '@jest/globals';
import { checkSizes, findUnused } from './check-console.ts';
import { readSources } from './read-sources.ts';

const isPage = (file: string) => /^modules\/[^/]+\/Console\//.test(file);
const all = readSources(['console', 'modules']);
const sources = Object.fromEntries(
  Object.entries(all).filter(([file]) => file.startsWith('console/') || isPage(file)),
);
/** Pages and kinds of fields, which the build finds; the build; and where the browser begins. */
const isEntry = (file: string) =>
  /^modules\/[^/]+\/Console\/[^/]+$|^console\/[^/]+$|\.kind\.ts$|^modules\/[^/]+\/Console\/buttons\/[^/]+$|^console\/shell\/(?:main|env\.d)\.ts$/.test(
    file,
  );

describe('the console and pages of modules', () => {
  test('have no code that is not used', () => {
    expect(findUnused(sources, { ...readSources(['test'], true), ...all }, isEntry)).toEqual([]);
  });
});

describe('lists, menus and popovers', () => {
  test('are made when they open: hidden ones cost a third of a page change', () => {
    const hidden = Object.entries(sources).flatMap(([file, text]) =>
      [...text.matchAll(/<el-(?:dropdown|popover|select)\b(?!-)[^>]*>/g)]
        .filter(([tag]) => !tag.includes(':persistent="false"'))
        .map(([tag]) => `${file}: ${tag}`),
    );

    expect(hidden).toEqual([]);
  });
});

describe('the checks', () => {
  const lines = (count: number) => 'x;\n'.repeat(count);

  test('find a long file, a long function and a full folder', () => {
    const files = Object.fromEntries(
      Array.from({ length: 17 }, (_, index) => [`console/kit/${index}.ts`, '']),
    );
    const long = { 'console/base/a.ts': `export function a() {\n${lines(59)}}\n` };

    expect(checkSizes({ ...files, ...long }, { 'console/base/a.ts': 251 })).toEqual([
      'console/base/a.ts has 251 lines',
      'console/base/a.ts:1 is a function of 61 lines',
      'console/kit has 17 files',
    ]);
    expect(checkSizes({ 'a.ts': `const a = () => {\n${lines(58)}};\n` }, { 'a.ts': 250 })).toEqual([]);
  });

  test('find an export and a file that nothing imports', () => {
    const files = {
      'console/a.ts': `export const one = 1; export type Two = 2; export function three() {}`,
      'console/b.vue': `import { one } from './a.ts';`,
      'console/c.vue': `import B from './b.vue';\nexport interface Four {}`,
    };

    expect(
      findUnused(files, { 'test/a.ts': `import { type Two } from '#console/a.ts';` }, () => false),
    ).toEqual(['console/a.ts exports three, which no other file imports', 'console/c.vue is not imported']);
  });
});
