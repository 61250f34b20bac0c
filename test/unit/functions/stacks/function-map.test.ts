import { describe, expect, test } from '@jest/globals';
import { readMount } from '#functions/stacks/deployment.ts';
import { createFunctionMap } from '#functions/stacks/function-map.ts';
import { createRoute, foundRoute } from '../fixtures.ts';

const post = foundRoute({
  file: 'modules/System/Admin/b.ts',
  path: '/adminapi/system/b',
  functionName: 'system-admin-b',
  route: createRoute('admin', 'POST', { limits: { timeoutSeconds: 29 } }),
});
const manifest = { routes: [foundRoute(), post], jobs: [] };

describe('createFunctionMap', () => {
  test('has one function for each route, and the fallback', () => {
    const functions = createFunctionMap(manifest, 'local');

    expect(Object.keys(functions)).toEqual(['default', 'system-admin-a', 'system-admin-b']);
    expect(functions.default?.events).toEqual([{ httpApi: '*' }]);
    expect(functions['system-admin-b']?.events).toEqual([
      { httpApi: { method: 'POST', path: '/adminapi/system/b' } },
    ]);
  });

  test('gives a route its declared limits, else the default ones', () => {
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

  test('packages only the bundle of the function on every other stage', () => {
    const { 'system-admin-a': a } = createFunctionMap(manifest, 'prod');

    expect(a).toMatchObject({
      handler: '.build/entries/system-admin-a.handler',
      package: { patterns: [] },
    });
  });

  test('packages the install lock beside user routes, and sets its folder', () => {
    const route = foundRoute({ route: createRoute('api', 'GET'), functionName: 'system-api-a' });

    const { 'system-api-a': deployed } = createFunctionMap({ routes: [route], jobs: [] }, 'prod');
    const { 'system-api-a': local } = createFunctionMap({ routes: [route], jobs: [] }, 'local');

    expect(deployed).toMatchObject({
      environment: { DATA_DIR: '/var/task/.build' },
      package: { patterns: ['.build/install.lock'] },
    });
    expect(local?.environment).toBeUndefined();
  });

  test('mounts the disk of local storage only on functions that use it', () => {
    const mount = readMount({
      STORAGE_ACCESS_POINT_ARN: 'arn:aws:elasticfilesystem:eu-west-1:111122223333:access-point/fsap-1',
      STORAGE_SUBNET_IDS: 'subnet-1, subnet-2',
      STORAGE_SECURITY_GROUP_IDS: 'sg-1',
    });
    const storing = foundRoute({
      route: createRoute('admin', 'POST', { storage: true }),
      functionName: 'system-admin-b',
    });

    const functions = createFunctionMap({ routes: [foundRoute(), storing], jobs: [] }, 'prod', { mount });

    expect(functions['system-admin-b']).toMatchObject({
      environment: { STORAGE_DIR: '/mnt/storage' },
      fileSystemConfig: { localMountPath: '/mnt/storage' },
      vpc: { subnetIds: ['subnet-1', 'subnet-2'], securityGroupIds: ['sg-1'] },
    });
    expect(functions['system-admin-a']).not.toHaveProperty('vpc');
    expect(readMount({})).toBeUndefined();
    expect(() => readMount({ STORAGE_SUBNET_IDS: 'subnet-1' })).toThrow(
      'STORAGE_ACCESS_POINT_ARN is not set',
    );
  });
});
