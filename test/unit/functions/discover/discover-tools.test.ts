import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createPermissionTable, findToolPermission } from '#functions/discover/permissions.ts';
import { routeSource } from '../fixtures.ts';
import { adapterSource, derivedSource, toolSource } from '../tool-fixtures.ts';
import { find, problemsOf } from './fixture.ts';

const tools = 'modules/Shop/Mcp/Tools';
const adapters = 'modules/Shop/Ai/Tools';

describe('discover', () => {
  test('finds the tools and adapters of every enabled module', async () => {
    const found = await find(
      {
        [`${tools}/CountTool.ts`]: toolSource(),
        [`${tools}/AddTool.ts`]: toolSource({ class: 'AddTool', name: 'shop.add' }),
        [`${adapters}/CountTool.ts`]: derivedSource('CountTool'),
        'modules/UserCenter/Mcp/Tools/FindTool.ts': toolSource({
          class: 'FindTool',
          name: 'user-center.find',
        }),
      },
      ['Shop', 'UserCenter'],
    );

    expect(found.tools.map(({ tool, file }) => [tool.name, file])).toEqual([
      ['shop.add', `${tools}/AddTool.ts`],
      ['shop.count', `${tools}/CountTool.ts`],
      ['user-center.find', 'modules/UserCenter/Mcp/Tools/FindTool.ts'],
    ]);
    expect(found.adapters.map(({ adapter, file }) => [adapter.name, file])).toEqual([
      ['shop.count', `${adapters}/CountTool.ts`],
    ]);
    expect(found.warnings).toEqual([]);
  });

  test('finds none in a module without their folder', async () => {
    const found = await find({});

    expect([found.tools, found.adapters, found.warnings]).toEqual([[], [], []]);
  });

  test.each([
    ['nothing', 'export {};'],
    ['a helper', 'export const limit = 20;'],
    ['a default that is no tool class', 'export default class CountTool {}'],
    ['the base class itself', "export { McpTool as default } from '#shared/tools/mcp-tool.ts';"],
  ])('skips a file that exports %s', async (_title, source) => {
    const found = await find({
      [`${tools}/CountTool.ts`]: source,
      [`${adapters}/CountTool.ts`]: source,
      [`${tools}/notes.md`]: 'no source',
    });

    expect([found.tools, found.adapters]).toEqual([[], []]);
  });

  test('does not load the tools of a module that is not enabled', async () => {
    const found = await find({ [`${tools}/CountTool.ts`]: 'throw new Error("loaded");' }, ['Shop'], false);

    expect(found.tools).toEqual([]);
  });

  test('accepts a name of 63 characters', async () => {
    const name = `shop.${'a'.repeat(58)}`;

    const found = await find({ [`${tools}/CountTool.ts`]: toolSource({ name }) });

    expect(found.tools[0]?.tool.name).toBe(name);
  });

  test('accepts a tool that writes and authorises', async () => {
    const body = "access = 'write'; async authorize() {}";

    const found = await find({ [`${tools}/CountTool.ts`]: toolSource({ body }) });

    expect(found.tools[0]?.tool.access).toBe('write');
  });
});

describe('the permission that a tool names', () => {
  const routes = {
    'modules/Shop/Admin/order/list.ts': routeSource('admin.get', 'sensitive: true,'),
    'modules/Shop/Admin/order/mine.ts': routeSource('admin.get', "right: 'login',"),
    'modules/Shop/Admin/order/add.ts': routeSource('admin.post'),
    'modules/Shop/Api/order/list.ts': routeSource('api.get'),
  };
  const naming = (permission: string, access = 'read') =>
    toolSource({ body: `access = '${access}'; async authorize() {} permission = '${permission}';` });

  test.each([
    ['shop/order/list:read', 'read', { path: 'shop/order/list', kind: 'read', sensitive: true }],
    ['shop/order/add:write', 'read', { path: 'shop/order/add', kind: 'write' }],
    ['shop/order/add:write', 'write', { path: 'shop/order/add', kind: 'write' }],
  ])('%s, is that of the route, for a tool that may %s', async (permission, access, expected) => {
    const found = await find({ ...routes, [`${tools}/CountTool.ts`]: naming(permission, access) });

    const [tool] = found.tools;
    expect(tool && findToolPermission(tool.tool, found.routes)).toEqual(expected);
    expect(createPermissionTable(found).permissions.map(({ path }) => path)).toEqual([
      'shop/order/add',
      'shop/order/list',
    ]);
  });

  test.each([
    ['shop/order/list:read', 'write', 'writes, so its permission must end with :write'],
    ...[
      'shop/order/list:write',
      'shop/order/mine:read',
      'api/shop/order/list:read',
      'shop/order:read',
      '',
    ].map((permission) => [
      permission,
      'read',
      `no route has its permission "${permission}": take one of permissions.txt`,
    ]),
  ])('%j, is refused for a tool that may %s', async (permission = '', access, problem) => {
    const problems = await problemsOf({ ...routes, [`${tools}/CountTool.ts`]: naming(permission, access) });

    expect(problems).toEqual([`${tools}/CountTool.ts: ${problem}`]);
  });
});

describe('discover reports a tool', () => {
  test.each([
    [{ class: 'OtherTool' }, 'its class is named "OtherTool": name it CountTool'],
    [{ class: '' }, /^its class is named ".*": name it CountTool$/],
    [{ base: 'AiTool' as const }, 'its class belongs in Ai/Tools: move it'],
    [{ name: 'count' }, /^its name "count" is not a tool name: write shop\.ability/],
    [{ name: 'shop.countAll' }, /^its name "shop\.countAll" is not a tool name/],
    [{ name: 'shop.count-all' }, /^its name "shop\.count-all" is not a tool name/],
    [{ name: 'shop.count__all' }, /^its name "shop\.count__all" has __/],
    [{ name: `shop.${'a'.repeat(59)}` }, 'its name has 64 characters of at most 63'],
    [{ name: 'store.count' }, 'its name "store.count" begins with another module: begin it with shop.'],
    [{ name: 'shop-two.count' }, 'its name "shop-two.count" begins with another module: begin it with shop.'],
    [{ description: ' ' }, /^has no description/],
    [{ body: "access = 'admin';" }, 'its access is neither read nor write'],
    [{ body: "access = 'write';" }, /^writes without authorize/],
    [{ body: "target = 'shop_order:{id}';" }, 'its target names id, which is not sent'],
    [{ body: 'handle = undefined;' }, 'has no handle'],
    [{ schema: 'z.object({})' }, /^its inputSchema is not a z\.strictObject/],
    [{ schema: 'z.string()' }, /^its inputSchema is not a z\.strictObject/],
    [{ schema: 'undefined' }, /^its inputSchema is not a z\.strictObject/],
    [
      { schema: 'z.strictObject({ at: z.date() })' },
      'its inputSchema cannot be written as JSON Schema: Date cannot be represented in JSON Schema',
    ],
    [{ exported: 'export' }, 'exports a tool class by name: give it a file, exported as default'],
  ])('with %j', async (text, problem) => {
    const problems = await problemsOf({ [`${tools}/CountTool.ts`]: toolSource(text) });

    const words = problem instanceof RegExp ? expect.stringMatching(problem) : problem;
    expect(problems.map((each) => each.replace(`${tools}/CountTool.ts: `, ''))).toEqual([words]);
    expect(problems[0]).toContain(`${tools}/CountTool.ts: `);
  });

  test.each([
    ['stock/CountTool.ts', toolSource(), 'lies in a folder below Mcp/Tools: move it up'],
    ['../../Ai/Tools/CountTool.ts', toolSource(), 'its class belongs in Mcp/Tools: move it'],
    ['CountTool.ts', toolSource().replace("access = 'read';", ''), 'writes without authorize'],
    ['CountTool.ts', 'export default class {{', ' cannot be loaded: '],
    ['CountTool.ts', 'throw new Error("on purpose");', ' cannot be loaded: on purpose'],
    [
      'CountTool.ts',
      toolSource({ body: 'constructor() { super(); throw new Error("on purpose"); }' }),
      ' cannot be created: on purpose',
    ],
  ])('in %s with its fault: %s', async (file, source, fault) => {
    const path = join(tools, file);

    expect(await problemsOf({ [path]: source })).toEqual([expect.stringMatching(`^${path}.*${fault}`)]);
  });

  test('whose name another has', async () => {
    const problems = await problemsOf({
      [`${tools}/CountTool.ts`]: toolSource(),
      [`${tools}/SumTool.ts`]: toolSource({ class: 'SumTool' }),
    });

    expect(problems).toEqual([
      `${tools}/SumTool.ts: shop.count is also in ${tools}/CountTool.ts: rename one of them`,
    ]);
  });

  test('whose name a tool of another module has', async () => {
    const problems = await problemsOf(
      {
        [`${tools}/CountTool.ts`]: toolSource(),
        'modules/Store/Mcp/Tools/CountTool.ts': toolSource(),
      },
      ['Shop', 'Store'],
    );

    expect(problems).toEqual([
      expect.stringContaining(
        'modules/Store/Mcp/Tools/CountTool.ts: its name "shop.count" begins with another',
      ),
      `modules/Store/Mcp/Tools/CountTool.ts: shop.count is also in ${tools}/CountTool.ts: rename one of them`,
    ]);
  });

  test('everything at once', async () => {
    const problems = await problemsOf({
      [`${tools}/CountTool.ts`]: toolSource({ name: 'Count', description: '', schema: 'z.object({})' }),
      [`${adapters}/SumTool.ts`]: adapterSource({ class: 'CountTool' }),
    });

    expect(problems).toHaveLength(4);
  });
});

describe('discover reports an adapter', () => {
  const tool = { [`${tools}/CountTool.ts`]: toolSource() };
  const warningsOf = async (source: string) =>
    (await find({ ...tool, [`${adapters}/CountTool.ts`]: source })).warnings;

  test('not if it equals its tool', async () => {
    expect(await warningsOf(adapterSource())).toEqual([]);
    expect(await warningsOf(derivedSource('CountTool'))).toEqual([]);
  });

  test('without a tool', async () => {
    const warnings = await warningsOf(adapterSource({ name: 'shop.sum' }));

    expect(warnings).toEqual([
      `${adapters}/CountTool.ts: there is no MCP tool shop.sum: the assistant cannot call it`,
    ]);
  });

  test.each([
    ['description', { description: 'Sums.' }, 'description'],
    ['schema', { schema: 'z.strictObject({ a: z.string() })' }, 'inputSchema'],
    [
      'description and schema',
      { description: '', schema: 'z.strictObject({ a: z.string() })' },
      'description and inputSchema',
    ],
  ])('with another %s', async (_title, text, what) => {
    const warnings = await warningsOf(adapterSource(text));

    expect(warnings).toEqual([
      `${adapters}/CountTool.ts: its ${what} differs from that of its MCP tool shop.count`,
    ]);
  });

  test('whose name another has, as a fault', async () => {
    const problems = await problemsOf({
      ...tool,
      [`${adapters}/CountTool.ts`]: derivedSource('CountTool'),
      [`${adapters}/SumTool.ts`]: derivedSource('SumTool', '../../Mcp/Tools/CountTool.ts'),
    });

    expect(problems).toEqual([expect.stringContaining(`shop.count is also in ${adapters}/CountTool.ts`)]);
  });

  test('whose name is not valid, as a fault', async () => {
    const problems = await problemsOf({ [`${adapters}/CountTool.ts`]: adapterSource({ name: 'Count' }) });

    expect(problems).toEqual([expect.stringContaining('its name "Count" is not a tool name')]);
  });
});

describe('a tool of a route', () => {
  const listTool = `
    import { fromRoute } from '#shared/tools/from-route.ts';
    import route from '../../Admin/order/list.ts';
    export default class ListTool extends fromRoute(route, { name: 'shop.list' }) {}
  `;
  const order = (options: string, builder = 'admin.get') => `
    import * as z from 'zod/mini';
    import { form } from '#shared/http/body/form.ts';
    import { rawAnswer } from '#shared/http/raw-answer.ts';
    import { admin } from '#shared/http/route.ts';
    export default ${builder}({
      summary: { zh_CN: '列表', en: 'List' }, data: z.null(), handler: async () => null, ${options}
    });
  `;
  const files = (options: string, builder?: string) => ({
    'modules/Shop/Admin/order/list.ts': order(options, builder),
    [`${tools}/ListTool.ts`]: listTool,
  });

  test('has the permission of the route', async () => {
    const { tools: found, routes } = await find(files('sensitive: true'));

    expect(found.map(({ tool }) => [tool.name, tool.access, findToolPermission(tool, routes)])).toEqual([
      ['shop.list', 'read', { path: 'shop/order/list', kind: 'read', sensitive: true }],
    ]);
  });

  test.each([
    ['a route that only needs a login', "right: 'login'", 'admin.get', 'no permission of its own'],
    ['an open route', '', 'admin.openGet', 'no permission of its own'],
    ['a route that decides itself', "right: 'handler'", 'admin.get', 'asks for permissions itself'],
    ['a throttled route', "middleware: ['throttle:public']", 'admin.get', 'throttle:public does not run'],
    ['a raw answer', 'data: rawAnswer', 'admin.get', 'something else than JSON data'],
    ['a form', 'parser: form, body: z.object({})', 'admin.post', 'not plain JSON'],
    ['two inputs', 'query: z.object({}), body: z.strictObject({})', 'admin.post', 'a query and a body'],
    ['a disk', 'storage: true', 'admin.get', 'disk'],
    [
      'the tools',
      "needs: ['tools', 'modules']",
      'admin.get',
      'it needs tools; tools and their routes may need modules',
    ],
  ])('is refused for %s', async (_title, options, builder, message) => {
    const [problem, ...others] = await problemsOf(files(options, builder));

    expect(others).toEqual([]);
    expect(problem).toMatch(`${tools}/ListTool.ts: modules/Shop/Admin/order/list.ts cannot be a tool: `);
    expect(problem).toMatch(message);
  });

  test('is refused if no file declares the route', async () => {
    const problems = await problemsOf({
      [`${tools}/ListTool.ts`]: listTool.replace('../../Admin/order/list.ts', '../../list.ts'),
      'modules/Shop/list.ts': order(''),
    });

    expect(problems).toEqual([expect.stringContaining('not the default export of a route file')]);
  });
});
