import fc from 'fast-check';

/** Paths below `/storage/`: of files that exist, and of files that must not be served. */
export const storagePath: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.nat({ max: 7 }).map((index) => `~uri.${index}~`) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...['..%2f..%2finstall.lock', '%2e%2e/%2e%2e/install.lock', '../../install.lock'],
      '..%5c..%5cinstall.lock',
      ...['uploads/image/20260101/../../../../install.lock', '%00', 'uploads%00.png', '%zz', '%'],
      '%c0%ae%c0%ae/',
      ...['.', '..', '//', 'uploads//a.png', './~uri.0~', '~uri.0~/', '~uri.0~%20', '~uri.0~%00.txt'],
      '~uri.0~/..',
      ...['uploads/image', 'uploads/', '__proto__', 'C:%5c', '/etc/passwd', '%2fetc%2fpasswd', '%ED%A0%80'],
      '\u00ff',
      ...[
        '%25%32%65%25%32%65/x',
        'storage/~uri.0~',
        'a'.repeat(9000),
        '../'.repeat(500),
        '%2e%2e%2f'.repeat(500),
      ],
    ),
  },
  {
    weight: 1,
    arbitrary: fc.string({ maxLength: 40 }).map((text) => encodeURIComponent(text.toWellFormed())),
  },
);

const methods = 'GET POST PUT PATCH DELETE OPTIONS HEAD TRACE PROPFIND __proto__'.split(' ');

/** Requests without a route: unknown paths, and known ones with another method. */
export function strayRequest(known: readonly string[]): fc.Arbitrary<{ method: string; path: string }> {
  const variations: ((path: string) => string)[] = [
    (path) => path,
    (path) => `${path}/`,
    (path) => `${path}//`,
    (path) => `/${path}`,
    (path) => path.toUpperCase(),
    (path) => path.replace('/', '/../'),
    (path) => path.replace(/\/(\w)/, '/%2e/$1'),
    (path) => path.replaceAll('/', '%2f'),
    (path) => path.slice(0, -1),
    (path) => `${path}/constructor`,
    (path) => `${path};a=b`,
    (path) => `${path}%00`,
  ];
  const varied = fc
    .tuple(fc.constantFrom(...known), fc.constantFrom(...variations))
    .map(([path, vary]) => vary(path));
  const odd = fc.constantFrom(
    '/',
    '//',
    '/__proto__',
    '/constructor',
    '/%',
    '/storage',
    '/storage/',
    '/api',
    '/docs/x',
  );
  return fc.record({ method: fc.constantFrom(...methods), path: fc.oneof(varied, odd) });
}
