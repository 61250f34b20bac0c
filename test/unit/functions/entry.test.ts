import { describe, expect, test } from '@jest/globals';
import { renderEntry, renderFallbackEntry } from '#functions/entry.ts';
import type { Area, Route } from '#shared/http/route.ts';
import { createRoute, foundRoute } from './fixtures.ts';

const importsOf = (source: string) =>
  [...source.matchAll(/^import .* from '(.+)';$/gm)].map(([, file]) => file);
const gatesOf = (source: string) => /gates: \[(.*)\]/.exec(source)?.[1];
const entryOf = (area: Area, access: Route['access']) =>
  renderEntry(foundRoute({ route: createRoute(area, 'GET', { access }) }));

describe('renderEntry', () => {
  test('imports the chain, the gates and exactly one route', () => {
    const source = entryOf('admin', 'required');

    expect(importsOf(source)).toEqual([
      '#shared/http/endpoint.ts',
      '#shared/http/gates/admin-auth.ts',
      '#modules/System/Admin/a.ts',
    ]);
    expect(source).toContain("export const handler = endpoint(route, { name: 'system-admin-a', gates: [");
  });

  test.each([
    ['admin', 'required', 'adminAuth'],
    ['admin', 'open', ''],
    ['api', 'required', 'apiAuth'],
    ['api', 'open', ''],
    ['web', 'open', ''],
  ] as const)('puts before a route of %s that is %s the gates [%s]', (area, access, gates) => {
    const source = entryOf(area, access);

    expect(gatesOf(source)).toBe(gates);
    expect(importsOf(source).filter((file) => file?.includes('/gates/'))).toHaveLength(gates ? 1 : 0);
  });

  test('imports every gate it names', () => {
    for (const area of ['admin', 'api'] as const) {
      const source = entryOf(area, 'required');

      expect(source).toContain(`import { ${gatesOf(source)} } from`);
    }
  });
});

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
