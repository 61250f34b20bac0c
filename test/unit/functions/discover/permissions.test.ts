import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import {
  checkPermissions,
  createPermissionTable,
  findPermission,
  renderPermissions,
} from '#functions/discover/permissions.ts';
import { createPermissionTree } from '#modules/System/roles/permission-tree.ts';
import { commandTitles, toCommandAction } from '#shared/audit/commands.ts';
import { admin, api, type Route } from '#shared/http/route.ts';
import { locales } from '#shared/i18n/locale.ts';
import { discoverShipped } from '../../../support/shipped-modules.ts';
import { TestTool } from '../../shared/tools/fixture.ts';
import { foundModule, foundRoute } from '../fixtures.ts';

const options = { summary: { zh_CN: '甲', en: 'A' }, data: z.null(), handler: async () => null };
const body = z.strictObject({});
const path = '/adminapi/shop/order/add';

describe('the permission of a route', () => {
  test.each([
    ['a GET', admin.get(options), { path: 'shop/order/add', kind: 'read' }],
    ['a POST', admin.post({ ...options, body }), { path: 'shop/order/add', kind: 'write' }],
    [
      'a POST that reads',
      admin.post({ ...options, body, right: 'read' }),
      { path: 'shop/order/add', kind: 'read' },
    ],
    ['one for every administrator', admin.get({ ...options, right: 'login' }), 'login'],
    ['an open one', admin.openGet(options), undefined],
    ['one for users', api.get(options), undefined],
  ])('of %s follows from the declaration', (_name, route, permission) => {
    expect(findPermission({ route, path })).toEqual(permission);
  });
});

describe('discovery', () => {
  const check = (...routes: Route[]) =>
    checkPermissions(
      routes.map((route, at) => foundRoute({ route, path: `/adminapi/shop/${'ab'[at]}`, file: 'f' })),
    );
  const noNeighbour = 'its asksFor names no route of its folder with a permission';

  test.each<[string, ...Route[]]>([
    [
      "its right is unknown: use 'read', 'login' or 'handler'",
      { ...admin.get(options), right: 'all' as never },
    ],
    [
      'it asks for no permission, so right, sensitive, formerly, asksFor and parts say nothing: remove them',
      admin.openGet({ ...options, sensitive: true }),
    ],
    [
      'its recentFactor says nothing, because no administrator logs in: remove it',
      admin.openGet({ ...options, recentFactor: true }),
    ],
    [
      'its formerly names a path that a route has: holders of that right would get this one',
      ...[admin.get(options), admin.get({ ...options, formerly: ['shop/a'] })],
    ],
    [noNeighbour, admin.get({ ...options, asksFor: ['c'] })],
    [noNeighbour, admin.get({ ...options, asksFor: ['b'] }), admin.get({ ...options, right: 'login' })],
  ])('says of a route: %s', (fault, ...routes) => {
    expect(check(...routes)).toEqual([`f: ${fault}`]);
  });

  test('accepts an earlier path of its own, and a route that asks for its neighbour', () => {
    expect(check(admin.get({ ...options, sensitive: true, formerly: ['shop/old'] }))).toEqual([]);
    expect(check(admin.get({ ...options, asksFor: ['b'] }), admin.get(options))).toEqual([]);
  });
});

describe('the permissions of this project', () => {
  test('have a title in both locales for every folder of Admin/', async () => {
    const { permissions, folders } = createPermissionTable(await discoverShipped());

    const parents = permissions.flatMap(({ path }) =>
      path
        .split('/')
        .slice(0, -1)
        .map((_segment, at, all) => all.slice(0, at + 1).join('/')),
    );
    // A route with parts has the title of its summary.
    const titled = new Set(permissions.map(({ path }) => path));
    const untitled = [...new Set(parents)].filter(
      (each) => !titled.has(each) && !locales.every((locale) => folders[each]?.[locale]),
    );
    expect(untitled).toEqual([]);
  });

  test('include every route of Admin/ with a login, except for those that declare otherwise', async () => {
    const manifest = await discoverShipped();

    const free = manifest.routes
      .filter((found) => findPermission(found) === 'login')
      .map((found) => found.path);

    expect(free.sort()).toEqual([
      '/adminapi/system/admin/factor/begin',
      '/adminapi/system/admin/factor/challenge',
      '/adminapi/system/admin/factor/codes',
      '/adminapi/system/admin/factor/confirm',
      '/adminapi/system/admin/factor/detail',
      '/adminapi/system/admin/factor/remove',
      '/adminapi/system/admin/info',
      '/adminapi/system/admin/sso/begin',
      '/adminapi/system/admin/sso/bind',
      '/adminapi/system/admin/sso/detail',
      '/adminapi/system/admin/sso/remove',
      '/adminapi/system/admin/token/add',
      '/adminapi/system/admin/token/folders',
      '/adminapi/system/ai/mcp/tools',
      '/adminapi/system/audit/mine',
      '/adminapi/system/config/dict',
      '/adminapi/system/login/factor',
      '/adminapi/system/login/logout',
      '/adminapi/system/oauth/approve',
      '/adminapi/system/oauth/request',
      '/adminapi/system/view/add',
      '/adminapi/system/view/delete',
      '/adminapi/system/view/edit',
      '/adminapi/system/view/list',
    ]);
  });
});

test('actions of administrators without a permission, and commands, have their titles in the table', async () => {
  const { permissions, actions } = createPermissionTable(await discoverShipped());

  expect(Object.keys(actions).sort()).toEqual([
    ...Object.keys(commandTitles).map(toCommandAction).sort(),
    'oauth/revoke',
    'oauth/token',
    'system/admin/factor/begin',
    'system/admin/factor/codes',
    'system/admin/factor/confirm',
    'system/admin/factor/remove',
    'system/admin/sso/begin',
    'system/admin/sso/bind',
    'system/admin/sso/remove',
    'system/admin/token/add',
    'system/login/account',
    'system/login/checkCaptcha',
    'system/login/confirm',
    'system/login/factor',
    'system/login/invitation',
    'system/login/logout',
    'system/login/second',
    'system/login/setup',
    'system/login/sso',
    'system/login/ssoStart',
    'system/oauth/approve',
    'system/view/add',
    'system/view/delete',
    'system/view/edit',
  ]);
  expect(permissions.filter(({ path }) => path in actions)).toEqual([]);
  expect(actions['system/login/account']).toEqual({ zh_CN: '管理员登录', en: expect.stringMatching(/./) });
});

describe('the permissions of tools', () => {
  const tool = Object.assign(new TestTool(), { name: 'shop.hide', access: 'write' });
  const other = Object.assign(new TestTool(), { name: 'shop.list', permission: 'shop/list:read' });
  const table = createPermissionTable({
    modules: [],
    routes: [foundRoute({ path: '/adminapi/shop/list', route: admin.get(options) })],
    tools: [tool, other].map((each) => ({ tool: each, file: 'modules/Shop/Mcp/Tools/A.ts' })),
  });

  test('stand in the table, except for tools that need the permission of a route', () => {
    expect(renderPermissions(table)).toBe('shop/list:read\ntool/shop.hide:write\n');
    expect(table.actions['tool/shop.list']).toEqual({ zh_CN: 'Runs.', en: 'Runs.' });
    expect(table.actions).not.toHaveProperty(['tool/shop.hide']);
  });

  test.each([
    ['en', 'AI tools'],
    ['zh_CN', 'AI 工具'],
  ] as const)('are a folder of the tree in %s, each with the description of its tool', (locale, title) => {
    expect(createPermissionTree(table, locale)).toContainEqual({
      ...{ path: 'tool', title, read: false, write: true, sensitive: false },
      children: [expect.objectContaining({ path: 'tool/shop.hide', title: 'Runs.', write: true })],
    });
  });
});

test('permissions.txt names what a reviewer must see', () => {
  const routes = [
    foundRoute({ path, route: admin.post({ ...options, body, sensitive: true, formerly: ['shop/add'] }) }),
    foundRoute({ path: '/adminapi/shop/list', route: admin.get(options) }),
  ];

  const text = renderPermissions(createPermissionTable({ modules: [], routes, tools: [] }));

  expect(text).toBe('shop/list:read\nshop/order/add:write sensitive formerly shop/add\n');
});

test('the tree of permissions shows folders with their titles, and the rights below them', () => {
  const manifest = foundModule('Shop').manifest;
  const adminFolders = { order: { zh_CN: '订单', en: 'Orders' } };
  const modules = [foundModule('Shop', { manifest: { ...manifest, adminFolders } })];
  const routes = [
    foundRoute({ path, route: admin.post({ ...options, body, sensitive: true }) }),
    foundRoute({ path: '/adminapi/shop/list', route: admin.get(options) }),
  ];

  const tree = createPermissionTree(createPermissionTable({ modules, routes, tools: [] }), 'en');

  const leaf = { read: false, write: false, sensitive: false, children: [], title: 'A' };
  expect(tree).toEqual([
    {
      ...{ path: 'shop', title: 'A', read: true, write: true, sensitive: false },
      children: [
        { ...leaf, path: 'shop/list', read: true },
        {
          ...{ path: 'shop/order', title: 'Orders', read: false, write: true, sensitive: false },
          children: [{ ...leaf, path: 'shop/order/add', write: true, sensitive: true }],
        },
      ],
    },
  ]);
});
