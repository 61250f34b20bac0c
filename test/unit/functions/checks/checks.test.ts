import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { checkRoute } from '#functions/checks/check-route.ts';
import { checkModules, checkRoutes } from '#functions/checks/checks.ts';
import { platform } from '#functions/discover/discover-owners.ts';
import type { RouteLocation } from '#functions/discover/route-path.ts';
import type { FoundModule } from '#functions/model.ts';
import { functionNameLimit, serviceName, stageLimit } from '#functions/names.ts';
import { form } from '#shared/http/body/form.ts';
import type { Route } from '#shared/http/route.ts';
import { createRoute, foundModule, foundRoute } from '../fixtures.ts';

const place: RouteLocation = {
  area: 'admin',
  path: '/adminapi/system/a',
  functionName: 'system-admin-a',
  folderFunction: 'system-admin',
  method: undefined,
};

/** The faults of a route of a module that declares nothing. */
const check = (route: Route, at: RouteLocation) => checkRoute(route, at, [platform, foundModule('System')]);

describe('checkRoute', () => {
  test.each(['GET', 'POST'] as const)('finds no fault in a valid %s', (method) => {
    expect(check(createRoute('admin', method), place)).toEqual([]);
  });

  test('reports the builder of another area', () => {
    const faults = check(createRoute('api', 'GET'), place);

    expect(faults).toEqual(['is built with api.*: a route in this folder is built with admin.*']);
  });

  test.each<[string, unknown]>([
    ['a number', 42],
    ['an object without a handler', { method: 'GET' }],
    ['a bare handler', { handler: () => {} }],
  ])('reports %s instead of a route', (_title, exported) => {
    const faults = check(exported as Route, place);

    expect(faults).toEqual(['exports no route: export default admin.get({ … }) or another of its builders']);
  });

  test('reports a file name with another method', () => {
    const faults = check(createRoute('admin', 'GET'), { ...place, method: 'POST' });

    expect(faults).toEqual(['is named for POST and built for GET: rename it']);
  });

  test('reports a GET with a body', () => {
    const faults = check(createRoute('admin', 'GET', { body: z.strictObject({}) }), place);

    expect(faults).toEqual(['a GET takes no body: use a query, or POST']);
  });

  test.each([
    ['no schema', undefined],
    ['an object that lets unknown fields pass', z.object({})],
    ['an object that keeps unknown fields', z.looseObject({})],
    ['an object with a catchall of its own', z.catchall(z.object({}), z.string())],
    ['a list', z.array(z.strictObject({}))],
  ])('reports a POST whose body is %s', (_title, body) => {
    const faults = check(createRoute('admin', 'POST', { body }), place);

    expect(faults).toEqual(['the body of a POST is a z.strictObject, so that unknown fields are refused']);
  });

  test('requires that a form ignores the fields of upload widgets', () => {
    const checkForm = (body: Route['body']) =>
      check(createRoute('admin', 'POST', { body, parser: form }), place);
    const fault = 'the body of a form is a z.object, so that unknown fields are ignored';

    expect(checkForm(z.object({}))).toEqual([]);
    expect([z.strictObject({}), z.string(), undefined].map(checkForm)).toEqual(Array(3).fill([fault]));
  });

  test('accepts a strict object with a rule for all its fields', () => {
    const body = z.strictObject({ a: z.string() }).check(z.refine(() => true));

    expect(check(createRoute('admin', 'POST', { body }), place)).toEqual([]);
  });

  test('reports a function name that is too long, and accepts the longest allowed one', () => {
    const longest = 'f'.repeat(functionNameLimit);
    const route = createRoute('admin', 'GET');

    expect(check(route, { ...place, functionName: longest })).toEqual([]);
    expect(check(route, { ...place, functionName: `${longest}f` })).toEqual([
      `its function would be named ${longest}f, ${functionNameLimit + 1} characters of at most ${functionNameLimit}: shorten the path`,
    ]);
    expect(`${serviceName}-${'s'.repeat(stageLimit)}-${longest}`).toHaveLength(64);
  });

  test('reports all faults at once', () => {
    const route = createRoute('api', 'GET', { body: z.object({}) });

    expect(check(route, { ...place, method: 'POST' })).toHaveLength(3);
  });
});

describe('checkRoutes', () => {
  const other = { file: 'modules/User/Admin/b.ts', path: '/adminapi/user/b', functionName: 'user-admin-b' };

  test('finds no fault in different routes', () => {
    expect(checkRoutes([foundRoute(), foundRoute(other)])).toEqual([]);
  });

  test('accepts two methods of one path', () => {
    const post = foundRoute({ ...other, path: '/adminapi/system/a', route: createRoute('admin', 'POST') });

    expect(checkRoutes([foundRoute(), post])).toEqual([]);
  });

  test('reports a second route with the same method and path', () => {
    const duplicate = foundRoute({ ...other, path: '/adminapi/system/a' });

    expect(checkRoutes([foundRoute(), duplicate])).toEqual([
      'modules/User/Admin/b.ts: GET /adminapi/system/a is also in modules/System/Admin/a.ts: rename one of them',
    ]);
  });

  test('reports a function of a folder with the name of a route', () => {
    const inFolder = foundRoute({
      ...other,
      file: 'modules/System/Admin/a/list.ts',
      functionName: 'system-admin-a-list',
      sharedFunction: 'system-admin-a',
    });

    expect(checkRoutes([foundRoute(), inFolder])).toEqual([
      'modules/System/Admin/a: function system-admin-a is also in modules/System/Admin/a.ts: rename one of them',
    ]);
  });

  test('reports a second function of the same name', () => {
    const duplicate = foundRoute({ ...other, functionName: 'system-admin-a' });

    expect(checkRoutes([foundRoute(), duplicate])).toEqual([
      'modules/User/Admin/b.ts: function system-admin-a is also in modules/System/Admin/a.ts: rename one of them',
    ]);
  });

  test('reports every duplicate with the first one', () => {
    const duplicates = [1, 2].map((index) => foundRoute({ file: `modules/X/Admin/${index}.ts` }));

    const problems = checkRoutes([foundRoute(), ...duplicates]);

    expect(problems).toHaveLength(4);
    expect(problems.every((problem) => problem.includes('is also in modules/System/Admin/a.ts'))).toBe(true);
  });
});

describe('checkModules', () => {
  const create = (name: string, requires?: string[]): FoundModule =>
    foundModule(name, { manifest: { name, title: { zh_CN: '甲', en: 'A' }, version: '1.0.0', requires } });

  test('accepts fulfilled requirements in any order', () => {
    expect(checkModules([create('A', ['B']), create('B')])).toEqual([]);
  });

  test('reports each requirement that is not enabled', () => {
    const problems = checkModules([create('A', ['B', 'C']), create('B')]);

    expect(problems).toEqual(['modules/A/module.ts requires C: enable it first']);
  });
});
