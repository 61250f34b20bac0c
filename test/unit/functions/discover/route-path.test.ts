import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readRouteLocation } from '#functions/discover/route-path.ts';

describe('readRouteLocation', () => {
  test.each([
    ['Admin/setting/dict/type/list.ts', 'admin', '/adminapi/system/setting/dict/type/list'],
    ['Admin/login/captchaConfig.ts', 'admin', '/adminapi/system/login/captchaConfig'],
    ['Api/config/dict.ts', 'api', '/api/system/config/dict'],
    ['Web/health.ts', 'web', '/health'],
    ['Web/mcp/service.ts', 'web', '/mcp/service'],
    ['Web/openapi.json.ts', 'web', '/openapi.json'],
    ['Web/.well-known/oauth-protected-resource.ts', 'web', '/.well-known/oauth-protected-resource'],
  ])('reads %s', (file, area, path) => {
    expect(readRouteLocation('system', file)).toMatchObject({ area, path, method: undefined });
  });

  test('names the function by module, area and segments', () => {
    const location = readRouteLocation('user-center', 'Api/password/change.ts');

    expect(location).toMatchObject({ functionName: 'user-center-api-password-change' });
  });

  test('names the function of a file without its dot', () => {
    const location = readRouteLocation('system', 'Web/openapi.json.ts');

    expect(location).toMatchObject({ functionName: 'system-web-openapi-json' });
  });

  test.each([
    ['Admin/setting/dict/add.ts', 'system-admin-setting-dict'],
    ['Api/login.ts', 'system-api'],
    ['Web/.well-known/change-password.ts', 'system-web'],
  ])('names the function that %s may share by its folder', (file, folderFunction) => {
    expect(readRouteLocation('system', file)).toMatchObject({ folderFunction });
  });

  test('names the function of a well-known URI without its folder', () => {
    const location = readRouteLocation('system', 'Web/.well-known/change-password.ts');

    expect(location).toMatchObject({ functionName: 'system-web-change-password' });
  });

  test.each([
    ['Api/upload/part.get.ts', 'GET', 'system-api-upload-part-get'],
    ['Api/upload/part.post.ts', 'POST', 'system-api-upload-part-post'],
  ])('reads the method of %s, which is not part of the URL', (file, method, functionName) => {
    const location = readRouteLocation('system', file);

    const folderFunction = 'system-api-upload';
    expect(location).toEqual({
      area: 'api',
      path: '/api/system/upload/part',
      functionName,
      folderFunction,
      method,
    });
  });

  test.each(['Tools/a.ts', 'admin/a.ts', 'module.ts'])(
    'refuses %s, which is in no folder for routes',
    (file) => {
      expect(readRouteLocation('system', file)).toBe(
        'is in no folder for routes: move it to Admin, Api, Web',
      );
    },
  );

  test.each([
    ['Admin/a_b.ts', 'a_b'],
    ['Admin/a/1.ts', '1'],
    ['Admin/用户/list.ts', '用户'],
    ['Admin/a b/list.ts', 'a b'],
    ['Admin/list.test.ts', 'list.test'],
    ['Admin/a/.ts', ''],
    ['Admin//a.ts', ''],
    ['Admin/../a.ts', '..'],
    ['Admin/{id}.ts', '{id}'],
    ['Admin/a.json.ts', 'a.json'],
    ['Web/a.json/b.ts', 'a.json'],
    ['Web/a.html.ts', 'a.html'],
    ['Web/.hidden/a.ts', '.hidden'],
    ['Web/a/.well-known/b.ts', '.well-known'],
    ['Web/.well-known/.b.ts', '.b'],
    ['Admin/.well-known/a.ts', '.well-known'],
  ])('refuses %s and names the segment', (file, segment) => {
    expect(readRouteLocation('system', file)).toBe(
      `"${segment}" cannot be part of a URL: use letters, digits and hyphens`,
    );
  });

  test('builds a URL from the segments of any valid file name', () => {
    const segment = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9-]{0,8}$/);

    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
        const location = readRouteLocation('system', `Admin/${segments.join('/')}.ts`);

        expect(location).toEqual({
          area: 'admin',
          path: `/adminapi/system/${segments.join('/')}`,
          functionName: `system-admin-${segments.join('-')}`,
          folderFunction: ['system-admin', ...segments.slice(0, -1)].join('-'),
          method: undefined,
        });
      }),
    );
  });
});
