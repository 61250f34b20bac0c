import { describe, expect, test } from '@jest/globals';
import { createFunctionMap } from '#functions/function-map.ts';
import { createRoute, foundRoute } from './fixtures.ts';

const post = foundRoute({
  file: 'modules/System/Admin/b.ts',
  path: '/adminapi/system/b',
  functionName: 'system-admin-b',
  route: createRoute('admin', 'POST', { limits: { timeoutSeconds: 29 } }),
});
const manifest = { modules: [], routes: [foundRoute(), post], jobs: [] };

describe('createFunctionMap', () => {
  test('has one function for each route, and the one for what no route takes', () => {
    const functions = createFunctionMap(manifest, 'local');

    expect(Object.keys(functions)).toEqual(['default', 'system-admin-a', 'system-admin-b']);
    expect(functions.default?.events).toEqual([{ httpApi: '*' }]);
    expect(functions['system-admin-b']?.events).toEqual([
      { httpApi: { method: 'POST', path: '/adminapi/system/b' } },
    ]);
  });

  test('names functions by service, stage and route', () => {
    const functions = createFunctionMap(manifest, 'prod');

    expect(functions['system-admin-a']?.name).toBe('backend-prod-system-admin-a');
  });

  test('gives a route the limits it declares, and others the usual ones', () => {
    const functions = createFunctionMap(manifest, 'local');

    expect(functions['system-admin-a']).toMatchObject({ timeout: 20, memorySize: 512 });
    expect(functions['system-admin-b']).toMatchObject({ timeout: 29, memorySize: 512 });
  });

  test('runs the entries as they are on the local stage', () => {
    const { default: fallback, 'system-admin-a': a } = createFunctionMap(manifest, 'local');

    expect(a?.handler).toBe('.build/entries/system-admin-a.handler');
    expect(fallback?.handler).toBe('.build/entries/default.handler');
    expect(a).not.toHaveProperty('package');
  });

  test('packages nothing but the bundle of the function on every other stage', () => {
    const { 'system-admin-a': a } = createFunctionMap(manifest, 'prod');

    expect(a).toMatchObject({
      handler: '.build/bundles/system-admin-a/index.handler',
      package: { patterns: ['!**', '.build/bundles/system-admin-a/*.mjs'] },
    });
  });

  test('packages the install lock beside user routes, and tells them where it is', () => {
    const route = foundRoute({ route: createRoute('api', 'GET'), functionName: 'system-api-a' });

    const { 'system-api-a': deployed } = createFunctionMap(
      { modules: [], routes: [route], jobs: [] },
      'prod',
    );
    const { 'system-api-a': local } = createFunctionMap({ modules: [], routes: [route], jobs: [] }, 'local');

    expect(deployed).toMatchObject({
      environment: { DATA_DIR: '/var/task/.build/bundles/system-api-a' },
      package: {
        patterns: ['!**', '.build/bundles/system-api-a/*.mjs', '.build/bundles/system-api-a/install.lock'],
      },
    });
    expect(local?.environment).toBeUndefined();
  });
});
