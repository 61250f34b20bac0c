import { afterEach, describe, expect, test } from '@jest/globals';
import { discover } from '#functions/discover/discover.ts';
import { createPermissionTable, findToolPermission } from '#functions/discover/permissions.ts';
import { DiscoveryError } from '#functions/model.ts';
import { createProject, moduleSource, routeSource } from '../fixtures.ts';
import { adapterSource, derivedSource, toolSource } from '../tool-fixtures.ts';

let project: ReturnType<typeof createProject> | undefined;
afterEach(() => {
  project?.remove();
  project = undefined;
});

const tools = 'modules/Shop/Mcp/Tools';
const adapters = 'modules/Shop/Ai/Tools';

function find(files: Record<string, string>, listed: object = { Shop: { enabled: true } }) {
  project = createProject({
    'modules/modules.json': JSON.stringify(listed),
    'modules/Shop/module.ts': moduleSource('Shop'),
    ...files,
  });
  return discover(project.root, (file) => import(file));
}

async function problemsOf(files: Record<string, string>, listed?: object): Promise<readonly string[]> {
  const error: unknown = await find(files, listed).catch((thrown) => thrown);
  if (!(error instanceof DiscoveryError)) throw new Error('discovery found nothing wrong', { cause: error });
  return error.problems;
}

describe('discover', () => {
  test('finds the tools and adapters of every enabled module', async () => {
    const found = await find(
      {
        [`${tools}/CountTool.ts`]: toolSource(),
        [`${tools}/AddTool.ts`]: toolSource({ class: 'AddTool', name: 'shop.add' }),
        [`${adapters}/CountTool.ts`]: derivedSource('CountTool'),
        'modules/UserCenter/module.ts': moduleSource('UserCenter'),
        'modules/UserCenter/Mcp/Tools/FindTool.ts': toolSource({
          class: 'FindTool',
          name: 'user-center.find',
        }),
      },
      { Shop: { enabled: true }, UserCenter: { enabled: true } },
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
    const found = await find(
      { [`${tools}/CountTool.ts`]: 'throw new Error("loaded");' },
      { Shop: { enabled: false } },
    );

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
    [
      'whose class is named otherwise',
      { class: 'OtherTool' },
      'its class is named "OtherTool": name it CountTool',
    ],
    ['whose class has no name', { class: '' }, /^its class is named ".*": name it CountTool$/],
    ['that is an adapter', { base: 'AiTool' as const }, 'its class belongs in Ai/Tools: move it'],
    ['whose name has no dot', { name: 'count' }, /^its name "count" is not a tool name: write shop\.ability/],
    ['whose name has capitals', { name: 'shop.countAll' }, /^its name "shop\.countAll" is not a tool name/],
    [
      'whose name has a hyphen in the ability',
      { name: 'shop.count-all' },
      /^its name "shop\.count-all" is not a tool name/,
    ],
    ['whose name has __', { name: 'shop.count__all' }, /^its name "shop\.count__all" has __/],
    [
      'whose name is too long',
      { name: `shop.${'a'.repeat(59)}` },
      'its name has 64 characters of at most 63',
    ],
    [
      'whose name begins with another module',
      { name: 'store.count' },
      'its name "store.count" begins with another module: begin it with shop.',
    ],
    [
      'whose name begins as the module does',
      { name: 'shop-two.count' },
      'its name "shop-two.count" begins with another module: begin it with shop.',
    ],
    ['without a description', { description: ' ' }, /^has no description/],
    ['whose access is neither', { body: "access = 'admin';" }, 'its access is neither read nor write'],
    ['that writes without authorize', { body: "access = 'write';" }, /^writes without authorize/],
    [
      'whose target names what is not sent',
      { body: "target = 'shop_order:{id}';" },
      'its target names id, which is not sent',
    ],
    ['without a handle', { body: 'handle = undefined;' }, 'has no handle'],
    [
      'whose schema lets unknown arguments pass',
      { schema: 'z.object({})' },
      /^its inputSchema is not a z\.strictObject/,
    ],
    ['whose schema is no object', { schema: 'z.string()' }, /^its inputSchema is not a z\.strictObject/],
    ['whose schema is missing', { schema: 'undefined' }, /^its inputSchema is not a z\.strictObject/],
    [
      'whose schema has no word in JSON Schema',
      { schema: 'z.strictObject({ at: z.date() })' },
      'its inputSchema cannot be written as JSON Schema: Date cannot be represented in JSON Schema',
    ],
    [
      'that is exported by name',
      { exported: 'export' },
      'exports a tool class by name: give it a file, exported as default',
    ],
  ])('%s', async (_title, text, problem) => {
    const problems = await problemsOf({ [`${tools}/CountTool.ts`]: toolSource(text) });

    const words = problem instanceof RegExp ? expect.stringMatching(problem) : problem;
    expect(problems.map((each) => each.replace(`${tools}/CountTool.ts: `, ''))).toEqual([words]);
    expect(problems[0]).toContain(`${tools}/CountTool.ts: `);
  });

  test('that has the default access, write, without authorize', async () => {
    const source = toolSource().replace("access = 'read';", '');

    const problems = await problemsOf({ [`${tools}/CountTool.ts`]: source });

    expect(problems).toEqual([expect.stringContaining('CountTool.ts: writes without authorize')]);
  });

  test('that lies in a folder below', async () => {
    const problems = await problemsOf({ [`${tools}/stock/CountTool.ts`]: toolSource() });

    expect(problems).toEqual([`${tools}/stock/CountTool.ts: lies in a folder below Mcp/Tools: move it up`]);
  });

  test('that lies among the adapters', async () => {
    const problems = await problemsOf({ [`${adapters}/CountTool.ts`]: toolSource() });

    expect(problems).toEqual([`${adapters}/CountTool.ts: its class belongs in Mcp/Tools: move it`]);
  });

  test.each([
    ['does not parse', 'export default class {{', /CountTool\.ts cannot be loaded: ./],
    ['throws', 'throw new Error("on purpose");', /CountTool\.ts cannot be loaded: on purpose$/],
    [
      'cannot be created',
      toolSource({ body: 'constructor() { super(); throw new Error("on purpose"); }' }),
      /CountTool\.ts cannot be created: on purpose$/,
    ],
  ])('that %s', async (_title, source, problem) => {
    const problems = await problemsOf({ [`${tools}/CountTool.ts`]: source });

    expect(problems).toEqual([expect.stringMatching(problem)]);
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
        'modules/Store/module.ts': moduleSource('Store'),
        'modules/Store/Mcp/Tools/CountTool.ts': toolSource(),
      },
      { Shop: { enabled: true }, Store: { enabled: true } },
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
