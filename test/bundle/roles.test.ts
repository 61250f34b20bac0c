import '../support/environment.ts';
import { beforeAll, describe, expect, it, test } from '@jest/globals';
import { discover } from '#functions/discover/discover.ts';
import type { FoundRoute, Manifest } from '#functions/model.ts';
import { findAudit, findLogin, requiresLogin } from '#shared/http/gates.ts';
import { readRoles } from '../support/function-roles.ts';
import type { Roles } from '../support/judge-proxy.ts';
import { listDenied } from '../support/judge-request.ts';
import { projectRoot } from '../support/local-server.ts';

// The roles that packaging gives to functions, from the code that is in their bundles.

let manifest: Manifest;
let roles: Roles;

beforeAll(async () => {
  manifest = await discover(projectRoot, (file) => import(file));
  roles = await readRoles();
}, 600_000);

const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });
const set = (pk: string, name: string) => ({
  Key: key(pk),
  UpdateExpression: `SET #n = :v`,
  ExpressionAttributeNames: { '#n': name },
});
const isPermitted = (name: string, operation: string, body: object): boolean =>
  listDenied(roles.get(name) ?? [], operation, { TableName: 't', ...body }).length === 0;

/** The writes of a partition that a function may do. */
const listWrites = (name: string, pk: string, attribute: string): string[] => [
  ...(isPermitted(name, 'PutItem', { Item: key(pk) }) ? ['put'] : []),
  ...(isPermitted(name, 'DeleteItem', { Key: key(pk) }) ? ['delete'] : []),
  ...(isPermitted(name, 'UpdateItem', set(pk, attribute)) ? ['update'] : []),
];

const authority = [
  ['ADMIN#01', 'super'],
  ['ADMIN#01', 'role_ids'],
  ['ADMIN#01', 'status'],
  ['ROLE', 'grants'],
  ['OAUTH_CLIENT', 'redirect_uris'],
  ['CLAIM#ADMIN_ACCOUNT#root', 'id'],
] as const;

describe('a function without a login', () => {
  it.each(authority)('may not write %s %s', (pk, attribute) => {
    const open = manifest.routes.filter(({ route }) => !requiresLogin(route));
    const writing = open.flatMap(({ functionName }) =>
      listWrites(functionName, pk, attribute).map((write) => `${functionName}: ${write}`),
    );
    // It makes administrators, if `oidc.create` names a role (decision 0065); their code refuses keys that exist.
    const made = /^(ADMIN|CLAIM#ADMIN_ACCOUNT)#/.test(pk) ? ['system-admin-login-sso: put'] : [];

    expect(open.length).toBeGreaterThan(0);
    expect(writing).toEqual(made);
  });
});

test.each(authority)('some function may write %s %s: the tests above mean something', (pk, attribute) => {
  expect([...roles.keys()].some((name) => listWrites(name, pk, attribute).length > 0)).toBe(true);
});

test('only logins begin sessions, and no function changes whose session it is', () => {
  const beginning = [...roles.keys()].filter((name) =>
    isPermitted(name, 'PutItem', { Item: key('SESSION#1') }),
  );
  const changing = [...roles.keys()].filter((name) =>
    isPermitted(name, 'UpdateItem', set('SESSION#1', 'principalId')),
  );

  expect(beginning.length).toBeGreaterThan(0);
  expect(beginning.filter((name) => !name.includes('-login-'))).toEqual([]);
  expect(changing).toEqual([]);
});

test('giving a role changes no grants: only routes of roles do, and those with tools', () => {
  const others = manifest.routes.filter(
    ({ route, path }) => !path.includes('/role/') && !route.needs?.length,
  );
  const writing = others.flatMap(({ functionName }) =>
    listWrites(functionName, 'ROLE', 'grants').map((write) => `${functionName}: ${write}`),
  );

  expect(writing).toEqual([]);
});

test('functions of GET routes only write what their gates write', () => {
  const partitions = ['ARTICLE#1', 'USER#1', 'ADMIN#1', 'ROLE', 'CONFIG#basics', 'DICT_TYPE', 'THROTTLE#1'];
  const writing = manifest.routes
    .filter(({ route }) => route.method === 'GET')
    .flatMap(({ functionName }) =>
      partitions.flatMap((pk) =>
        listWrites(functionName, pk, 'name').map((write) => [functionName, pk, write]),
      ),
    );

  expect(writing).toEqual([]);
});

test('no function may write every partition', () => {
  const writing = [...roles.keys()].filter((name) => listWrites(name, 'OF_NO_ENTITY#1', 'name').length > 0);

  expect(writing).toEqual([]);
});

describe('the rights that only a bad moment needs', () => {
  const listWithout = (names: readonly string[], operation: string, body: object): string[] => {
    expect(names.length).toBeGreaterThan(0);
    return names.filter((name) => !isPermitted(name, operation, body));
  };
  const namesOf = (fits: (found: FoundRoute) => boolean): string[] =>
    manifest.routes.filter(fits).map(({ functionName }) => functionName);

  it('include the counters of throttles that count in the table while the cache is away', () => {
    const counting = namesOf(({ throttles }) =>
      throttles.some(({ throttle }) => throttle.fallback === 'table'),
    );

    expect(listWithout(counting, 'UpdateItem', set('THROTTLE#1', 'count'))).toEqual([]);
  });

  it('include the entry and the count of a refusal', () => {
    const recording = namesOf(({ route }) => findAudit(route) !== undefined);

    expect(listWithout(recording, 'PutItem', { Item: key('AUDIT#2026-11') })).toEqual([]);
    expect(listWithout(recording, 'UpdateItem', set('AUDIT_COUNT#2026-11-24T05#1', 'count'))).toEqual([]);
  });

  it('include the use of a session', () => {
    const withLogin = namesOf(({ route }) => findLogin(route) !== undefined);

    expect(listWithout(withLogin, 'UpdateItem', set('SESSION#1', 'lastSeenAt'))).toEqual([]);
  });
});

test('policies stay below the limit of IAM', () => {
  const longest = Math.max(...roles.values().map((statements) => JSON.stringify(statements).length));

  expect(longest).toBeLessThan(10_240 / 2);
});
