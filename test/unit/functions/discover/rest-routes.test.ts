import '../../../support/environment.ts';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { renderEntry } from '#functions/bundle/entry.ts';
import { renderFallbackEntry } from '#functions/bundle/route-keys.ts';
import { discover } from '#functions/discover/discover.ts';
import { readRouteLocation } from '#functions/discover/route-path.ts';
import { createFunctionMap } from '#functions/stacks/function-map.ts';
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
