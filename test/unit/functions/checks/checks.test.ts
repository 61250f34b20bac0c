import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { checkRoute } from '#functions/checks/check-route.ts';
import { checkRoutes } from '#functions/checks/checks.ts';
import { platform } from '#functions/discover/discover-owners.ts';
import type { RouteLocation } from '#functions/discover/route-path.ts';
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

  test.each<[string, unknown]>([
    ['a number', 42],
    ['an object without a handler', { method: 'GET' }],
    ['a bare handler', { handler: () => {} }],
  ])('reports %s instead of a route', (_title, exported) => {
    const faults = check(exported as Route, place);

    expect(faults).toEqual(['exports no route: export default admin.get({ … }) or another of its builders']);
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

  test('reports every duplicate with the first one', () => {
    const duplicates = [1, 2].map((index) => foundRoute({ file: `modules/X/Admin/${index}.ts` }));

    const problems = checkRoutes([foundRoute(), ...duplicates]);

    expect(problems).toHaveLength(4);
    expect(problems.every((problem) => problem.includes('is also in modules/System/Admin/a.ts'))).toBe(true);
  });
});
