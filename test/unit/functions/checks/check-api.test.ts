import { describe, expect, test } from '@jest/globals';
import { assertApiFits, countApi, warnOfIntegrations } from '#functions/checks/check-api.ts';
import { createRoute, foundModule, foundRoute } from '../fixtures.ts';

const createRoutes = (count: number, module: string, sharedFunction?: string) =>
  Array.from({ length: count }, (_, index) =>
    foundRoute({
      module,
      path: `/adminapi/${module}/${index}`,
      functionName: `${module}-admin-${index}`,
      ...(sharedFunction && { sharedFunction }),
    }),
  );
const modules = ['Large', 'Small'].map((name) => foundModule(name));

describe('the integrations of an HTTP API', () => {
  test('are one for each function, with that of unknown paths; routes are counted by method and path', () => {
    const files = foundRoute({
      route: createRoute('web', 'GET', { head: true, aliases: ['/b'] }),
      functionName: 'system-web-b',
    });

    expect(countApi([...createRoutes(5, 'Large', 'large-admin'), files])).toEqual({
      integrations: 3,
      routes: 10,
    });
  });

  test.each([
    [268, 0],
    [269, 1],
    [299, 1],
  ])('are warned of with %i functions by %i lines, which name the largest modules', (count, lines) => {
    const found = { modules, routes: [...createRoutes(count - 1, 'Large'), ...createRoutes(1, 'Small')] };
    const advice = "write functions: 'folder' in module.ts of Large, Small";

    expect(warnOfIntegrations(found)).toEqual(
      Array(lines).fill(`the routes take ${count + 1} of the 300 integrations of an HTTP API: ${advice}`),
    );
    expect(() => assertApiFits(found)).not.toThrow();
  });

  test('refuse one more than there are', () => {
    expect(() => assertApiFits({ modules, routes: createRoutes(300, 'Large') })).toThrow('301 of the 300');
    expect(() =>
      assertApiFits({ modules, routes: createRoutes(1_000, 'Large', 'large-admin') }),
    ).not.toThrow();
  });
});
