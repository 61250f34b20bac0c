import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  addToRedirect,
  isAllowedRedirect,
  isLoopback,
  matchesRedirect,
} from '#modules/System/oauth/redirects.ts';

const port = fc.integer({ min: 1, max: 65_535 });
const loopbackHost = fc.constantFrom('localhost', '127.0.0.1', '[::1]');
const rest = fc.constantFrom('', '/', '/callback', '/a/b?c=d', '?x=1');

describe('a redirect URI', () => {
  test.each([
    'https://app.example/callback',
    'https://app.example:8443/callback?tenant=1',
    'http://localhost/callback',
    'http://127.0.0.1:4711/callback',
    'http://[::1]:80/',
    'http://localhost',
    'https://App.Example/Callback',
    'https://xn--fsqu00a.example:443/callback/?a=b%2Fc',
  ])('%s is allowed', (uri) => {
    expect(isAllowedRedirect(uri)).toBe(true);
  });

  test.each([
    '',
    'callback',
    '/callback',
    'http://app.example/callback',
    'http://localhost.evil.example/callback',
    'http://localhost@evil.example/callback',
    'http://localhost:80@evil.example/callback',
    'http://127.0.0.1.evil.example/',
    'http://127.1/callback',
    'http://[::ffff:127.0.0.1]/',
    'https://user@app.example/callback',
    'https://user:word@app.example/',
    'https://app.example/callback#part',
    'https://app.example/call back',
    'https://app.example\\@evil.example/',
    'https://app.example/\ncallback',
    'https://例子.example/callback',
    'https://*.app.example/cb',
    'https://app.example/*',
    'https://app.example/cb?to=*',
    'https://app.ex%61mple/cb',
    'https://app.example/a/../cb',
    'https://app.example/a/%2e%2e/cb',
    'https://app.example/./cb',
    'https://app.example/{tenant}',
    'https://0x7f.1/cb',
    'https://app.example:port/cb',
    'https://app.example:99999/cb',
    'https://:443/cb',
    'https:app.example/callback',
    'HTTPS://app.example/callback',
    'javascript:alert(1)',
    'javascript://app.example/%0aalert(1)',
    'data:text/html,hello',
    'file:///etc/passwd',
    'cursor://callback',
    'https://',
  ])('%j is not allowed', (uri) => {
    expect(isAllowedRedirect(uri)).toBe(false);
  });

  test.each(['65536', '99999'])('on loopback with the impossible port %s does not match', (impossible) => {
    expect(matchesRedirect('http://localhost/cb', `http://localhost:${impossible}/cb`)).toBe(false);
  });

  test('matches itself, and nothing that differs by a letter', () => {
    const uri = fc.webUrl({ withQueryParameters: true });
    fc.assert(
      fc.property(uri, fc.nat(), fc.constantFrom('a', '/', '?', '.', '%', 'A'), (given, at, letter) => {
        const index = at % (given.length + 1);
        const longer = given.slice(0, index) + letter + given.slice(index);

        expect(matchesRedirect(given, given)).toBe(true);
        expect(matchesRedirect(given, longer)).toBe(false);
        expect(matchesRedirect(longer, given)).toBe(false);
      }),
    );
  });

  test('matches on loopback with any port, but no other host or path', () => {
    fc.assert(
      fc.property(
        loopbackHost,
        loopbackHost,
        port,
        port,
        rest,
        rest,
        (host, other, one, two, path, otherPath) => {
          const registered = `http://${host}:${one}${path}`;

          expect(matchesRedirect(registered, `http://${host}:${two}${path}`)).toBe(true);
          expect(matchesRedirect(`http://${host}${path}`, registered)).toBe(true);
          expect(matchesRedirect(registered, `http://${other}:${two}${otherPath}`)).toBe(
            host === other && path === otherPath,
          );
          expect(matchesRedirect(registered, `https://${host}:${two}${path}`)).toBe(false);
          expect(matchesRedirect(registered, `http://${host}:${two}@evil.example${path}`)).toBe(false);
        },
      ),
    );
  });

  test('does not match another port of any other host', () => {
    fc.assert(
      fc.property(port, port, rest, (one, two, path) => {
        const [first, second] = [one, two].map((each) => `https://app.example:${each}${path}`);

        expect(matchesRedirect(String(first), String(second))).toBe(one === two);
      }),
    );
  });

  test('keeps its letters when parameters are added, and reads them back', () => {
    const uris = fc.tuple(fc.constantFrom('https://app.example', 'http://localhost:1'), rest);
    fc.assert(
      fc.property(uris, fc.string(), ([origin, path], state) => {
        const uri = origin + path;
        const added = addToRedirect(uri, { code: 'c', state, error: undefined });
        const found = new URL(added).searchParams;

        expect(added.startsWith(uri)).toBe(true);
        expect([found.get('code'), found.get('state'), found.has('error')]).toEqual([
          'c',
          state.toWellFormed(),
          false,
        ]);
        expect(isLoopback(uri)).toBe(origin === 'http://localhost:1');
      }),
    );
  });
});
