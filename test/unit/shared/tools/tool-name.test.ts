import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkName } from '#functions/discover/discover-tools.ts';
import { createNameReader, toPortableName } from '#shared/tools/tool-name.ts';

const prefix = fc.stringMatching(/^[a-z][a-z0-9-]{0,40}$/);
const ability = fc.stringMatching(/^[a-z][a-z0-9_]{0,40}$/);
/** Names that discovery accepts. */
const toolName = fc
  .tuple(prefix, ability)
  .filter(([module, rest]) => checkName(`${module}.${rest}`, module).length === 0)
  .map((parts) => parts.join('.'));

describe('a portable name', () => {
  test('fits the APIs of models, for every name that discovery accepts', () => {
    fc.assert(
      fc.property(toolName, (name) => {
        expect(toPortableName(name)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      }),
    );
  });

  test('means one tool, in each spelling', () => {
    fc.assert(
      fc.property(fc.uniqueArray(toolName, { minLength: 1, maxLength: 30 }), (names) => {
        const read = createNameReader(names);
        for (const name of names) {
          const spellings = [name, toPortableName(name), name.replace('.', '_')];
          expect(spellings.map(read)).toEqual([name, name, name]);
        }
      }),
    );
  });
});

describe('a reader of names', () => {
  const read = createNameReader(['a.b_c', 'a_b.c', 'user-center.find', 'constructor.x']);

  test.each([
    ['a__b_c', 'a.b_c'],
    ['a_b__c', 'a_b.c'],
    ['user-center_find', 'user-center.find'],
  ])('reads %s as %s', (given, name) => {
    expect(read(given)).toBe(name);
  });

  test.each([
    ...['a_b_c', 'a', '', 'A.B_C', 'a.b_c ', 'a.b.c', 'a___b_c', 'user_center.find', 'ａ.b_c', 'а.b_c'],
    ...['constructor', '__proto__', 'toString', 'constructor__', '__x'],
  ])('reads "%s" as no tool', (given) => {
    expect(read(given)).toBeUndefined();
  });
});
