import { describe, expect, test } from '@jest/globals';
import { bundleSource } from './bundle-source.ts';

const imports = `
  import * as z from 'zod/mini';
  import { components } from '#shared/schema/component.ts';
  import { label } from '#shared/schema/marks.ts';
  import { text } from '#shared/schema/text.ts';
  import { titled } from '#shared/schema/titled.ts';
`;

/** Whether a function that uses nothing of a declaration holds it: `unused` stands in it. */
const keeps = async (declaration: string): Promise<boolean> =>
  (await bundleSource(`${imports} ${declaration} console.log('end');`)).includes('unused');

describe('a function that does not use a schema', () => {
  test.each([
    ['a call', `const a = z.literal('unused');`],
    ['a chain', `const a = z.string().check(z.regex(/unused/)).register(components, { id: 'unused' });`],
    [
      'a schema of others',
      `const a = z.optional(z.array(z.strictObject({ unused: z.string().check(z.trim()) })));`,
    ],
    ['a helper', `const a = label(text(1, 2).check(z.regex(/unused/)));`],
    ['a label', `const a = titled({ zh_CN: '甲', en: 'A' }, z.string().check(z.regex(/unused/)));`],
    ['an object of schemas', `const a = { unused: z.string(), b: z._default(text(1, 2), 'unused') };`],
    ['a type that is asserted', `const a = z.literal('unused').check(z.minLength(1)) as unknown as string;`],
  ])('does not hold %s', async (_kind, declaration) => {
    expect(await keeps(declaration)).toBe(false);
  });
});

describe('a function', () => {
  test.each([
    ['a schema that it exports', `export const a = z.literal('unused').check(z.minLength(1));`],
    ['a statement', `z.literal('unused').register(components, { id: 'A' });`],
    [
      'a call of another name',
      `const make = (schema: unknown) => console.log(schema); const a = make(z.literal('unused'));`,
    ],
    ['a call of a value', `const a = z.literal('unused').parse('b');`],
    ['an entry of a registry', `const a = z.globalRegistry.add(z.string(), { id: 'unused' });`],
  ])('holds %s', async (_kind, declaration) => {
    expect(await keeps(declaration)).toBe(true);
  });
});
