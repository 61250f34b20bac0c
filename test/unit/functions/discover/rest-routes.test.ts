import '../../../support/environment.ts';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { renderEntry } from '#functions/bundle/entry.ts';
import { renderFallbackEntry } from '#functions/bundle/route-keys.ts';
import { discover } from '#functions/discover/discover.ts';
import { readRouteLocation } from '#functions/discover/route-path.ts';
import { createFunctionMap } from '#functions/stacks/function-map.ts';
import { fallback } from '#shared/http/fallback.ts';
import { createContext, createEvent, toAnswer } from '../../shared/http/fake-request.ts';
import { createRoute, createSupply, foundRoute } from '../fixtures.ts';

const files = foundRoute({
  route: createRoute('web', 'GET', { head: true }),
  file: 'modules/System/Web/storage/[...path].ts',
  path: '/storage/{path+}',
  functionName: 'system-web-storage-path',
});

describe('a file for the rest of a path', () => {
  test('takes the rest of the path as a parameter', () => {
    expect(readRouteLocation('system', 'Web/storage/[...path].ts')).toEqual({
      area: 'web',
      path: '/storage/{path+}',
      functionName: 'system-web-storage-path',
      folderFunction: 'system-web-storage',
      method: undefined,
    });
    expect(readRouteLocation('system', 'Api/a/[...rest].post.ts')).toMatchObject({
      path: '/api/system/a/{rest+}',
      functionName: 'system-api-a-rest-post',
      method: 'POST',
    });
  });

  test.each([
    ['Web/[...path]/a.ts', '[...path]'],
    ['Web/[...path]/[...path].ts', '[...path]'],
    ['Web/a/[path].ts', '[path]'],
    ['Web/a/[...Path].ts', '[...Path]'],
    ['Web/a/[...].ts', '[...]'],
    ['Web/a/[..path].ts', '[..path]'],
    ['Web/a/x[...path].ts', 'x[...path]'],
    ['Web/a/[...path]x.ts', '[...path]x'],
    ['Web/a/{path+}.ts', '{path+}'],
  ])('is invalid: %s', (file, segment) => {
    expect(readRouteLocation('system', file)).toBe(
      `"${segment}" cannot be part of a URL: use letters, digits and hyphens`,
    );
  });

  test('is found in the service, for GET and HEAD', async () => {
    const manifest = await discover(resolve(__dirname, '../../../..'), (file) => import(file));
    const { 'system-web-storage-path': served } = createFunctionMap(manifest, 'prod');

    expect(served?.events).toEqual([
      { httpApi: { method: 'GET', path: '/storage/{path+}' } },
      { httpApi: { method: 'HEAD', path: '/storage/{path+}' } },
    ]);
  });

  test('is imported by its name', () => {
    expect(renderEntry(files, createSupply())).toContain(
      "import route from '#modules/System/Web/storage/[...path].ts';",
    );
    expect(renderFallbackEntry([files])).toContain('"/storage/{path+}": [\n    "GET",\n    "HEAD"\n  ]');
  });
});

describe('the fallback', () => {
  const handler = fallback({
    '/storage/{path+}': ['GET', 'HEAD'],
    '/a.b/{rest+}': ['POST'],
    '/storage': ['POST'],
  });
  const ask = async (method: 'GET' | 'POST' | 'PUT', path: string) =>
    toAnswer(await handler(createEvent({ method, path }), createContext()));

  test.each([
    ['POST', '/storage/x', 'GET, HEAD'],
    ['PUT', '/storage/uploads/image/20240229/a.png', 'GET, HEAD'],
    ['POST', '/storage/x/', 'GET, HEAD'],
    ['PUT', '/storage/{path+}', 'GET, HEAD'],
    ['GET', '/a.b/c', 'POST'],
    ['GET', '/storage', 'POST'],
    ['GET', '/storage/', 'POST'],
  ] as const)('answers 405 for %s %s', async (method, path, allow) => {
    const { status, json, headers } = await ask(method, path);

    expect([status, json?.code, headers.allow]).toEqual([405, 'route.method_not_allowed', allow]);
  });

  test.each([
    ['POST', '/storage'],
    ['POST', '/storagex'],
    ['POST', '/storagex/a'],
    ['POST', '/x/storage/a'],
    ['GET', '/aXb/c'],
    ['GET', '/a.b'],
    ['POST', '/STORAGE/a'],
  ] as const)('answers 404 for %s %s', async (method, path) => {
    const { status, json } = await ask(method, path);

    expect([status, json?.code]).toEqual([404, 'route.not_found']);
  });
});
