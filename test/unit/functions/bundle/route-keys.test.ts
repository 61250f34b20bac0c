import { describe, expect, test } from '@jest/globals';
import { renderFallbackEntry, renderSharedEntry } from '#functions/bundle/route-keys.ts';
import { createRoute, foundRoute } from '../fixtures.ts';

const importsOf = (source: string) =>
  [...source.matchAll(/^import .* from '(.*)';$/gm)].map(([, path]) => path);

describe('renderFallbackEntry', () => {
  test('knows every path with its methods, and imports no route', () => {
    const source = renderFallbackEntry([
      foundRoute(),
      foundRoute({ path: '/api/b' }),
      foundRoute({ path: '/api/b', route: createRoute('api', 'POST') }),
    ]);

    expect(importsOf(source)).toEqual(['#shared/http/fallback.ts']);
    expect(JSON.parse(/fallback\(([\s\S]*)\);/.exec(source)?.[1] ?? '')).toEqual({
      '/adminapi/system/a': ['GET'],
      '/api/b': ['GET', 'POST'],
    });
  });
});

describe('renderSharedEntry', () => {
  test('knows the entry of each route by method and path, of its aliases and HEAD too', () => {
    const files = createRoute('web', 'GET', { head: true, aliases: ['/b'] });
    const source = renderSharedEntry({
      name: 'system-web',
      routes: [
        foundRoute(),
        foundRoute({ path: '/b/{path+}', functionName: 'system-web-b-path', route: files }),
      ],
    });

    expect(importsOf(source)).toEqual(['#shared/http/dispatch.ts']);
    expect(
      [...source.matchAll(/^ {2}'(.*)': \(\) => import\('(.*)'\),$/gm)].map(([, ...parts]) => parts),
    ).toEqual([
      ['GET /adminapi/system/a', './system-admin-a.mjs'],
      ['GET /b/{path+}', './system-web-b-path.mjs'],
      ['HEAD /b/{path+}', './system-web-b-path.mjs'],
      ['GET /b', './system-web-b-path.mjs'],
      ['HEAD /b', './system-web-b-path.mjs'],
    ]);
  });
});
