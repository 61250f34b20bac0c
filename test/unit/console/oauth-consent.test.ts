import { describe, expect, test } from '@jest/globals';
import { isOpenable, readParameters, toScope } from '#modules/System/Console/oauth-consent/consent.ts';

test('the parameters of the request are kept, and what a client adds is left out', () => {
  const query = '?client_id=https%3A%2F%2Fa.example%2Fc&scope=mcp%3Aread+mcp%3Awrite&state=&prompt=consent';

  expect(readParameters(query)).toEqual({
    client_id: 'https://a.example/c',
    scope: 'mcp:read mcp:write',
    state: '',
  });
});

test('without write, reading is left', () => {
  expect(toScope(['mcp:read', 'mcp:write'], true)).toBe('mcp:read mcp:write');
  expect(toScope(['mcp:read', 'mcp:write'], false)).toBe('mcp:read');
  expect(toScope(['mcp:write'], false)).toBe('mcp:read');
});

describe('the page goes', () => {
  test.each(['https://claude.ai/back?code=x', 'http://127.0.0.1:4000/', 'cursor://oauth/callback?code=x'])(
    'to %s',
    (url) => expect(isOpenable(url)).toBe(true),
  );

  test.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'blob:https://a.example/x',
    'file:///etc/passwd',
    '/console/',
    '',
  ])('never to %j', (url) => expect(isOpenable(url)).toBe(false));
});
