import '../../../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { environment } from '#shared/config/environment.ts';
import { toPublicUrl, toStoredUrl } from '#shared/media/media-url.ts';
import { anyString } from '../../../support/any-string.ts';

const site = {
  publicUrl: 'https://site.example',
  aliases: ['http://old.example:8080/app', 'https://CDN.example/'],
};

describe('toPublicUrl', () => {
  test.each([
    ['storage/uploads/a.png', 'https://site.example/storage/uploads/a.png'],
    ['/storage/uploads/a.png', 'https://site.example/storage/uploads/a.png'],
    ['uploads/a.png', 'https://site.example/storage/uploads/a.png'],
    ['storage/a.png?v=1&w=../x#t', 'https://site.example/storage/a.png?v=1&w=../x#t'],
    ['storage/a b/图.png', 'https://site.example/storage/a b/图.png'],
    ['storage/a%20b..png', 'https://site.example/storage/a%20b..png'],
    ['storage/...', 'https://site.example/storage/...'],
    ['storage/./a', 'https://site.example/storage/./a'],
    ['\0\t storage/a \n', '\0\t https://site.example/storage/a \n'],
  ])('completes %j', (path, expected) => {
    expect(toPublicUrl(path, site)).toBe(expected);
  });

  test.each([
    ...['', ' ', '#', '#storage/a', '?storage/a', 'a.png', './storage/a', '../storage/a', '//storage/a'],
    ...['/uploads/a.png', '/a', 'storage', '/storage', 'storage/', 'storage/ ', 'uploads/?a', 'storage/#a'],
    ...[
      'Storage/a',
      'UPLOADS/a',
      'storages/a',
      'storage\\a',
      '\\storage/a',
      '\u00a0storage/a',
      '\u00adstorage/a',
    ],
    ...['storage/../a', 'storage/a/..', 'storage/.. ', 'uploads/../a', 'storage/a/../b', 'storage/..?a'],
    ...['storage/%2e%2E/a', 'storage/.%2e/a', 'storage/a%2f..%2Fb', 'storage/a\\b', 'storage/a%5Cb'],
    ...['storage/.\t./a', 'storage/a\nb', 'sto\nrage/a', '%73torage/a', 'storage%2fa'],
  ])('leaves the relative link %j', (path) => {
    expect(toPublicUrl(path, site)).toBe(path);
  });
});

describe('toStoredUrl', () => {
  test.each([
    ['https://site.example/storage/uploads/a.png', 'storage/uploads/a.png'],
    ['HTTPS://Site.Example/storage/a', 'storage/a'],
    ['https://site.example:443/storage/a', 'storage/a'],
    ['http://site.example/storage/a', 'storage/a'],
    ['http://site.example:80/storage/a', 'storage/a'],
    ['//site.example/storage/a', 'storage/a'],
    ['//SITE.example:443/storage/a', 'storage/a'],
    ['https://site.example/storage/a?b=c&d#e', 'storage/a?b=c&d#e'],
    ['http://old.example:8080/app/storage/a', 'storage/a'],
    ['https://old.example:8080/app/storage/a', 'storage/a'],
    ['//old.example:8080/app/storage/a', 'storage/a'],
    ['https://cdn.example/storage/a', 'storage/a'],
    ['\n https://site.example/storage/a\t', '\n storage/a\t'],
    ['https://site.example/storage//a', 'storage//a'],
  ])('shortens %j', (url, expected) => {
    expect(toStoredUrl(url, site)).toBe(expected);
  });

  test.each([
    ...['https://bucket.cloud.example/storage/uploads/a.png', 'https://site.example.evil.example/storage/a'],
    ...[
      'https://www.site.example/storage/a',
      'https://site.example:8443/storage/a',
      'https://site.example./storage/a',
    ],
    ...[
      'http://site.example:443/storage/a',
      'https://site.example:80/storage/a',
      '//site.example:80/storage/a',
    ],
    ...['http://old.example/app/storage/a', 'http://old.example:8080/storage/a'],
    ...['http://old.example:8080/APP/storage/a', 'http://old.example:8080/application/storage/a'],
    ...[
      'https://user@site.example/storage/a',
      'https://site.example@evil.example/storage/a',
      'https:///storage/a',
    ],
    ...[
      'https:\\\\site.example\\storage\\a',
      'https://site.example\\storage/a',
      'https://site.example\\x/storage/a',
      'https:/site.example/storage/a',
    ],
    ...[
      'https://site.example',
      'https://site.example/',
      'https://site.example/storage',
      'https://site.example/storage/',
    ],
    ...[
      'https://site.example/uploads/a',
      'https://site.example/Storage/a',
      'https://site.example/x/storage/a',
    ],
    ...[
      'https://site.example/storage/../a',
      'https://site.example/storage/%2e%2e/a',
      'https://site.example/storage/a\\b',
    ],
    ...[
      'https://site.example?/storage/a',
      'https://site.example#/storage/a',
      'https://site.example/?/storage/a',
    ],
    ...[
      'https://si\tte.example/storage/a',
      'ht\ntps://site.example/storage/a',
      'ftp://site.example/storage/a',
    ],
    ...['https://site.example:port/storage/a', 'https://[/storage/a', 'https://'],
    ...['storage/a', '/storage/a', 'uploads/a', '', '/', '//'],
  ])('leaves %j', (url) => {
    expect(toStoredUrl(url, site)).toBe(url);
  });

  test('prefers the public URL to an alias', () => {
    const nested = { publicUrl: 'https://h.example', aliases: ['https://h.example/storage'] };

    expect(toStoredUrl('https://h.example/storage/storage/a', nested)).toBe('storage/storage/a');
  });

  test('recognises an internationalised host in both spellings', () => {
    const chinese = { publicUrl: 'https://例子.example', aliases: [] };

    expect(toStoredUrl('https://xn--fsqu00a.example/storage/a', chinese)).toBe('storage/a');
  });
});

describe('both directions', () => {
  const schemes = ['data:', 'blob:', 'javascript:', 'mailto:', 'tel:', '#'].flatMap((scheme) => [
    ...[scheme, scheme.toUpperCase(), ` \t\n${scheme}`, `\0${scheme}`, scheme.split('').join('\n')],
  ]);

  test.each(schemes)('leave what begins with %j', (scheme) => {
    for (const rest of ['storage/a', '/storage/a', 'https://site.example/storage/a', '']) {
      expect(toPublicUrl(scheme + rest, site)).toBe(scheme + rest);
      expect(toStoredUrl(scheme + rest, site)).toBe(scheme + rest);
    }
  });

  test('read the site of the process by default', () => {
    Object.assign(environment(), { publicUrl: 'https://a.example', publicUrlAliases: ['https://b.example'] });

    expect(toPublicUrl('storage/a')).toBe('https://a.example/storage/a');
    expect(toStoredUrl('https://b.example/storage/a')).toBe('storage/a');
  });

  const text = fc.oneof(
    anyString(),
    fc
      .array(
        fc.constantFrom(...'storage/ / uploads/ https: //site.example .. %2e a \\ ? # \n'.split(' '), ' '),
      )
      .map((parts) => parts.join('')),
  );

  test('are idempotent', () => {
    fc.assert(
      fc.property(text, (url) => {
        const [full, stored] = [toPublicUrl(url, site), toStoredUrl(url, site)];

        expect(toPublicUrl(full, site)).toBe(full);
        expect(toStoredUrl(stored, site)).toBe(stored);
      }),
    );
  });

  test('undo each other on stored paths, with any base URL', () => {
    const bases = [
      'https://site.example',
      'http://localhost:3000',
      'https://h.example/prod',
      'https://[::1]:8443/a/b',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...bases), text, (publicUrl, rest) => {
        const here = { publicUrl, aliases: [] };

        expect(toStoredUrl(toPublicUrl(`storage/${rest}`, here), here)).toBe(`storage/${rest}`);
      }),
    );
  });

  test('agree with a browser, or leave the path unchanged', () => {
    fc.assert(
      fc.property(text, (rest) => {
        const url = toPublicUrl(`storage/${rest}`, site);

        if (!url.startsWith('storage/'))
          expect(new URL(url).href).toMatch(/^https:\/\/site\.example\/storage\//);
      }),
    );
  });
});
