import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { moduleNamePattern, toRoutePrefix } from '#shared/module/module.ts';

describe('toRoutePrefix', () => {
  test.each([
    ['System', 'system'],
    ['UserCenter', 'user-center'],
    ['Article', 'article'],
    ['AIChat', 'ai-chat'],
    ['ChatAI', 'chat-ai'],
    ['OAuth2Login', 'o-auth2-login'],
    ['A', 'a'],
    ['AB', 'ab'],
    ['V2', 'v2'],
  ])('makes %s %s', (name, prefix) => {
    expect(toRoutePrefix(name)).toBe(prefix);
  });

  const anyName = fc.stringMatching(/^[A-Z][A-Za-z0-9]{0,20}$/);

  test('makes kebab-case of any module name, and keeps it', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const prefix = toRoutePrefix(name);

        expect(prefix).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
        expect(toRoutePrefix(prefix)).toBe(prefix);
      }),
      { numRuns: 1000 },
    );
  });

  test('keeps every letter and digit in its place', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        expect(toRoutePrefix(name).replaceAll('-', '')).toBe(name.toLowerCase());
      }),
    );
  });

  test('separates words that begin with one capital', () => {
    const words = fc.array(fc.stringMatching(/^[A-Z][a-z]{1,6}$/), { minLength: 1, maxLength: 5 });

    fc.assert(
      fc.property(words, (parts) => {
        expect(toRoutePrefix(parts.join(''))).toBe(parts.join('-').toLowerCase());
      }),
    );
  });
});

describe('moduleNamePattern', () => {
  test.each(['System', 'UserCenter', 'A1'])('takes %s', (name) => {
    expect(name).toMatch(moduleNamePattern);
  });

  test.each(['', 'system', 'User-Center', 'User_Center', '1User', '用户', 'User Center', '../User', 'A\n'])(
    'refuses %j',
    (name) => {
      expect(name).not.toMatch(moduleNamePattern);
    },
  );
});
