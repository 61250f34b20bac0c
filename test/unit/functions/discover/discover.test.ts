import { afterEach, describe, expect, test } from '@jest/globals';
import { discover } from '#functions/discover/discover.ts';
import { DiscoveryError, listRouteFunctions } from '#functions/model.ts';
import { createFunctionMap } from '#functions/stacks/function-map.ts';
import { createProject, moduleSource, routeSource } from '../fixtures.ts';

let project: ReturnType<typeof createProject> | undefined;
afterEach(() => {
  project?.remove();
  project = undefined;
});

function find(files: Record<string, string>, listed: Record<string, { enabled: boolean }>) {
  project = createProject({ 'modules/modules.json': JSON.stringify(listed), ...files });
  return discover(project.root, (file) => import(file));
}
const shop = { Shop: { enabled: true } };
const shopModule = { 'modules/Shop/module.ts': moduleSource('Shop') };

async function problemsOf(
  files: Record<string, string>,
  listed: Record<string, { enabled: boolean }> = shop,
): Promise<readonly string[]> {
  const error: unknown = await find(files, listed).catch((thrown) => thrown);
  if (!(error instanceof DiscoveryError)) throw new Error('discovery found nothing wrong', { cause: error });
  expect(error.message).toBe(error.problems.join('\n'));
  return error.problems;
}

describe('discover', () => {
  test('gives the routes of a folder one function, but for those with something of their own', async () => {
    const { routes } = await find(
      {
        'modules/Shop/module.ts': moduleSource('Shop', "functions: 'folder'"),
        'modules/Shop/Admin/order/list.ts': routeSource('admin.get'),
        'modules/Shop/Admin/order/import.ts': routeSource('admin.post', 'limits: { timeoutSeconds: 29 },'),
        'modules/Shop/Admin/order/all.ts': routeSource('admin.get', "needs: ['modules'],"),
        'modules/Shop/Admin/order/print.ts': routeSource('admin.get', 'limits: { memoryMb: 1024 },'),
        'modules/Shop/Admin/order/pay.ts': routeSource('admin.post', 'limits: { concurrency: 5 },'),
        'modules/Shop/Admin/order/scan.ts': routeSource('admin.post', 'storage: true,'),
        'modules/Shop/Api/order.ts': routeSource('api.openGet'),
      },
      shop,
    );

    expect(
      Object.fromEntries(
        listRouteFunctions(routes).map(({ name, routes: own }) => [name, own.map(({ path }) => path)]),
      ),
    ).toEqual({
      'shop-admin-order': ['/adminapi/shop/order/import', '/adminapi/shop/order/list'],
      'shop-aggregate': ['/adminapi/shop/order/all'],
      'shop-admin-order-print': ['/adminapi/shop/order/print'],
      'shop-admin-order-pay': ['/adminapi/shop/order/pay'],
      'shop-admin-order-scan': ['/adminapi/shop/order/scan'],
      'shop-api': ['/api/shop/order'],
    });
    expect(createFunctionMap({ routes, jobs: [] }, 'prod')['shop-admin-order']).toMatchObject({
      name: 'backend-prod-shop-admin-order',
      timeout: 29,
      memorySize: 512,
    });
  });

  test('refuses a word that says nothing about functions', async () => {
    expect(
      await problemsOf({ 'modules/Shop/module.ts': moduleSource('Shop', "functions: 'module' as never") }),
    ).toEqual(['modules/Shop/module.ts: its functions is "module": write \'folder\', or leave it out']);
  });

  test('finds a route for every file of the route folders', async () => {
    const { modules, routes } = await find(
      {
        ...shopModule,
        'modules/Shop/Admin/order/list.ts': routeSource('admin.get'),
        'modules/Shop/Admin/order/add.ts': routeSource('admin.post'),
        'modules/Shop/Api/order.ts': routeSource('api.openGet'),
        'modules/Shop/Web/shop-window.ts': routeSource('web.get'),
        'modules/Shop/data/orders.ts': 'export const orders = [];',
        'modules/Shop/lang/en.json': '{}',
        'modules/Shop/lang/zh_CN.json': '{}',
        'modules/Shop/Admin/notes.md': 'no route',
      },
      shop,
    );

    expect(modules).toMatchObject([{ manifest: { name: 'Shop' }, prefix: 'shop' }]);
    expect(routes.map(({ route, path, file }) => [route.method, path, file])).toEqual([
      ['POST', '/adminapi/shop/order/add', 'modules/Shop/Admin/order/add.ts'],
      ['GET', '/adminapi/shop/order/list', 'modules/Shop/Admin/order/list.ts'],
      ['GET', '/api/shop/order', 'modules/Shop/Api/order.ts'],
      ['GET', '/shop-window', 'modules/Shop/Web/shop-window.ts'],
    ]);
    expect(routes[0]).toMatchObject({ module: 'Shop', functionName: 'shop-admin-order-add' });
  });

  test('finds the modules in their listed order', async () => {
    const { modules } = await find(
      { ...shopModule, 'modules/UserCenter/module.ts': moduleSource('UserCenter') },
      { UserCenter: { enabled: true }, Shop: { enabled: true } },
    );

    expect(modules.map(({ prefix }) => prefix)).toEqual(['user-center', 'shop']);
  });

  test('does not load a module that is not enabled', async () => {
    const { modules, routes } = await find(
      { 'modules/Shop/module.ts': 'throw new Error("loaded");' },
      { Shop: { enabled: false } },
    );

    expect([modules, routes]).toEqual([[], []]);
  });

  test('accepts two methods of one URL in files named after them', async () => {
    const { routes } = await find(
      {
        ...shopModule,
        'modules/Shop/Api/part.get.ts': routeSource('api.openGet'),
        'modules/Shop/Api/part.post.ts': routeSource('api.openPost'),
      },
      shop,
    );

    expect(routes.map(({ route, path }) => `${route.method} ${path}`)).toEqual([
      'GET /api/shop/part',
      'POST /api/shop/part',
    ]);
  });
});

describe('discover names the file, the broken rule and the fix', () => {
  test('of a bad module name', async () => {
    const problems = await problemsOf({}, { 'user-center': { enabled: true } });

    expect(problems).toEqual([
      'modules/modules.json: "user-center" is not a module name: use PascalCase, as in UserCenter',
    ]);
  });

  test('of a module without a manifest', async () => {
    const problems = await problemsOf({});

    expect(problems).toEqual([
      'modules/Shop/module.ts is missing: create it, or take "Shop" out of modules/modules.json',
    ]);
  });

  test('of a manifest with another name', async () => {
    const problems = await problemsOf({ 'modules/Shop/module.ts': moduleSource('Store') });

    expect(problems).toEqual(['modules/Shop/module.ts is named "Store": name it "Shop", as its folder']);
  });

  test('of a manifest without a default export', async () => {
    const problems = await problemsOf({ 'modules/Shop/module.ts': 'export const shop = {};' });

    expect(problems).toEqual([
      'modules/Shop/module.ts has no default export: export default what it declares',
    ]);
  });

  test.each([
    ['requires: "User"', 'its requires is not a list: write requires: [ … ]'],
    ['configs: {}', 'its configs is not a list: write configs: [ … ]'],
    ['roles: { editor: "a:read" }', 'its roles.editor is not a list: write roles.editor: [ … ]'],
    ['title: { en: "A" }', 'its title has no zh_CN: write one in each of zh_CN, en'],
  ])('of a manifest with %s', async (rest, fault) => {
    const problems = await problemsOf({ 'modules/Shop/module.ts': moduleSource('Shop', rest) });

    expect(problems).toEqual([`modules/Shop/module.ts: ${fault}`]);
  });

  test.each(['shop/sales:read', 'shop/orders/list', 'system:read'])(
    'of a role with the grant %s, which covers nothing of the module',
    async (grant) => {
      const problems = await problemsOf({
        'modules/Shop/module.ts': moduleSource('Shop', `roles: { editor: ['shop/orders:read', '${grant}'] }`),
        'modules/Shop/Admin/orders/list.ts': routeSource('admin.get'),
      });

      expect(problems).toEqual([
        `modules/Shop/module.ts: its role editor has "${grant}", which covers no route or tool of the module: write shop:read, for example`,
      ]);
    },
  );

  test('of a requirement that is not enabled', async () => {
    const problems = await problemsOf({
      'modules/Shop/module.ts': moduleSource('Shop', 'requires: ["User"]'),
    });

    expect(problems).toEqual(['modules/Shop/module.ts requires User: enable it first']);
  });

  test.each([
    ['does not parse', 'export default {', /^modules\/Shop\/Admin\/a\.ts cannot be loaded: ./],
    [
      'throws',
      'throw new Error("on purpose");',
      /^modules\/Shop\/Admin\/a\.ts cannot be loaded: on purpose$/,
    ],
    [
      'imports what is not there',
      'import "./none.ts"; export default 1;',
      /^modules\/Shop\/Admin\/a\.ts cannot be loaded: .*none\.ts/s,
    ],
    ['exports nothing', 'export {};', /^modules\/Shop\/Admin\/a\.ts has no default export: ./],
    ['exports no route', 'export default 42;', /^modules\/Shop\/Admin\/a\.ts: exports no route: ./],
    ['has the builder of another area', routeSource('api.get'), /a\.ts: is built with api\.\*: /],
    [
      'has a GET with a body',
      routeSource('admin.get', 'body: z.strictObject({}),'),
      /a\.ts: a GET takes no body/,
    ],
    [
      'has a POST without a strict body',
      routeSource('admin.post', 'body: z.object({}),'),
      /a\.ts: the body of a/,
    ],
    [
      'names a throttle that does not exist',
      routeSource('admin.get', "middleware: ['throttle:nope'],"),
      /a\.ts: its middleware "throttle:nope" does not exist: use .*throttle:public, .*, or add a throttle to modules\/Shop\/throttles\.ts/,
    ],
    [
      'names a middleware that does not exist',
      routeSource('admin.openGet', 'middleware: [undefined],'),
      /a\.ts: its middleware undefined does not exist: use .*api\.try-auth, mcp\.auth/,
    ],
    [
      'needs what does not exist',
      routeSource('admin.get', "needs: ['tool'],"),
      /a\.ts: it needs "tool", which does not exist: use modules, tools, documents/,
    ],
    [
      'has a text for a list of middleware',
      routeSource('admin.get', "middleware: 'throttle:public',"),
      /a\.ts: its middleware is not a list of texts: write /,
    ],
    [
      'names an error that does not exist',
      routeSource('admin.get', "errors: ['constructor', 'version_conflict'],"),
      /a\.ts: its error "constructor" does not exist: add it to modules\/Shop\/errors\.ts, or require the module/,
    ],
    [
      'has a summary in one language',
      routeSource('admin.get', "summary: { en: 'A' },"),
      /a\.ts: its summary has no zh_CN: write one line in each of zh_CN, en/,
    ],
    [
      'names a record by what its body does not have',
      routeSource('admin.post', "target: 'shop_order:{id}:{adminId}',"),
      /a\.ts: its target names id, which is not sent/,
    ],
    [
      'names a record by no pattern',
      routeSource('admin.post', "target: 'Shop order',"),
      /a\.ts: its target "Shop order" is not a pattern: write it as order:\{id\}/,
    ],
    [
      'has no data',
      routeSource('admin.get', 'data: undefined,'),
      /a\.ts: its data is not a schema: use a zod schema/,
    ],
    [
      'has a plain object for a query',
      routeSource('admin.get', 'query: { id: z.string() },'),
      /a\.ts: its query is not a z\.object: write /,
    ],
    [
      'has a plain object for a body',
      routeSource('admin.post', 'body: { id: z.string() },'),
      /a\.ts: the body of a POST is a z\.strictObject/,
    ],
    [
      'runs longer than the gateway waits',
      routeSource('admin.get', 'limits: { timeoutSeconds: 30 },'),
      /a\.ts: its limits\.timeoutSeconds is 30: write a whole number from 1 to 29/,
    ],
    [
      'has memory of another unit',
      routeSource('admin.get', "limits: { memoryMb: '1GB' },"),
      /a\.ts: its limits\.memoryMb is "1GB": write a whole number from 128 to 10240/,
    ],
    [
      'takes a larger body than a function receives',
      routeSource('admin.post', 'bodyLimitBytes: 10_000_000,'),
      /a\.ts: its bodyLimitBytes is 10000000: write a whole number from 1 to 6000000/,
    ],
  ])('of a route file that %s', async (_title, source, problem) => {
    const problems = await problemsOf({ ...shopModule, 'modules/Shop/Admin/a.ts': source });

    expect(problems).toEqual([expect.stringMatching(problem)]);
  });

  test.each([
    ['order_list.ts', '"order_list" cannot be part of a URL: use letters, digits and hyphens'],
    ['order.post.ts', 'is named for POST and built for GET: rename it'],
  ])('of a file that is named %s', async (name, fault) => {
    const problems = await problemsOf({
      ...shopModule,
      [`modules/Shop/Admin/${name}`]: routeSource('admin.get'),
    });

    expect(problems).toEqual([`modules/Shop/Admin/${name}: ${fault}`]);
  });

  test('of a path whose function name is too long', async () => {
    const file = `modules/Shop/Admin/${'long'.repeat(12)}.ts`;

    const problems = await problemsOf({ ...shopModule, [file]: routeSource('admin.get') });

    expect(problems).toEqual([
      expect.stringMatching(
        new RegExp(`^${file}: its function would be named .* characters of at most .*: shorten`),
      ),
    ]);
  });

  test('of two modules with one path', async () => {
    const problems = await problemsOf(
      {
        ...shopModule,
        'modules/Shop/Web/window.ts': routeSource('web.get'),
        'modules/Store/module.ts': moduleSource('Store'),
        'modules/Store/Web/window.ts': routeSource('web.get'),
      },
      { Shop: { enabled: true }, Store: { enabled: true } },
    );

    expect(problems).toEqual([
      'modules/Store/Web/window.ts: GET /window is also in modules/Shop/Web/window.ts: rename one of them',
    ]);
  });

  test('of two files whose functions would have one name', async () => {
    const problems = await problemsOf({
      ...shopModule,
      'modules/Shop/Admin/order-list.ts': routeSource('admin.get'),
      'modules/Shop/Admin/order/list.ts': routeSource('admin.get'),
    });

    expect(problems).toEqual([
      'modules/Shop/Admin/order/list.ts: function shop-admin-order-list is also in modules/Shop/Admin/order-list.ts: rename one of them',
    ]);
  });

  test.each([
    [
      'statistics: { orders: 7 }',
      'its statistics does not fit: write statistics: { orders: { title, to, permission, read } }',
    ],
    [
      'statistics: { orders: { read() {} } }',
      'its statistics does not fit: write statistics: { orders: { title, to, permission, read } }',
    ],
    [
      "waiting: { late: { title: { zh_CN: 'x', en: 'x' }, to: 'x', permission: 'x' } }",
      'its waiting does not fit: write waiting: { orders: { title, to, permission, count } }',
    ],
    ['latest: 1', 'its latest does not fit: write latest: { orders: listLatestOrders }'],
  ])('of contributions with %s', async (part, fault) => {
    const problems = await problemsOf({
      ...shopModule,
      'modules/Shop/contributions.ts': `export default { ${part} };`,
    });

    expect(problems).toEqual([`modules/Shop/contributions.ts: ${fault}`]);
  });

  test('of two modules that contribute the same kind', async () => {
    const contributions = 'export default { latest: { orders: async () => [] } };';
    const problems = await problemsOf(
      {
        ...shopModule,
        'modules/Shop/contributions.ts': contributions,
        'modules/Store/module.ts': moduleSource('Store'),
        'modules/Store/contributions.ts': contributions,
      },
      { ...shop, Store: { enabled: true } },
    );

    expect(problems).toEqual([
      'modules/Store/contributions.ts: latest of "orders" is also in modules/Shop/contributions.ts: rename one of them',
    ]);
  });

  test('of a module that cannot be loaded, without what follows from it', async () => {
    const problems = await problemsOf(
      {
        'modules/Shop/module.ts': 'throw new Error("on purpose");',
        'modules/Store/module.ts': moduleSource('Store', 'requires: ["Shop"]'),
        'modules/Store/Admin/order.ts': routeSource('admin.get', "errors: ['shop.closed'],"),
      },
      { bad: { enabled: true }, ...shop, Store: { enabled: true } },
    );

    expect(problems).toEqual([
      expect.stringContaining('"bad" is not a module name'),
      'modules/Shop/module.ts cannot be loaded: on purpose',
    ]);
  });

  test('of a reason for which many files cannot be loaded once', async () => {
    const problems = await problemsOf({
      ...shopModule,
      'modules/Shop/shared.ts': 'throw new Error("on purpose");',
      'modules/Shop/Api/a.ts': 'import "../shared.ts";',
      'modules/Shop/Api/b.ts': 'import "../shared.ts";',
      'modules/Shop/Api/c.ts': 'import "../shared.ts";',
    });

    expect(problems).toEqual(['modules/Shop/Api/a.ts cannot be loaded, nor 2 more: on purpose']);
  });

  test('of everything at once', async () => {
    const problems = await problemsOf(
      {
        'modules/Shop/module.ts': moduleSource('Shop', 'requires: ["Gone"]'),
        'modules/Shop/Admin/a.ts': routeSource('api.get', 'body: z.object({}),'),
        'modules/Shop/Admin/b_c.ts': routeSource('admin.get'),
        'modules/Shop/Api/d.ts': 'throw new Error("on purpose");',
      },
      { bad: { enabled: true }, Missing: { enabled: true }, ...shop },
    );

    expect(problems).toEqual([
      expect.stringContaining('"bad" is not a module name'),
      expect.stringContaining('modules/Missing/module.ts is missing'),
      expect.stringContaining('modules/Shop/Admin/a.ts: is built with api.*'),
      expect.stringContaining('modules/Shop/Admin/a.ts: a GET takes no body'),
      expect.stringContaining('modules/Shop/Admin/b_c.ts: "b_c" cannot'),
      expect.stringContaining('modules/Shop/Api/d.ts cannot be loaded'),
      expect.stringContaining('modules/Shop/module.ts requires Gone'),
    ]);
  });
});

/** Files of a module with given declarations, valid by default. */
const declaring = (files: Record<string, string>) => ({
  ...shopModule,
  ...Object.fromEntries(Object.entries(files).map(([file, text]) => [`modules/Shop/${file}`, text])),
});
const errorsSource = (codes: string) => `
  import { defineErrors } from '#shared/errors/app-error.ts';
  export default defineErrors({ ${codes} });
`;
const throttlesSource = (throttles: string) => `
  import { defineThrottles } from '#shared/throttle/throttles.ts';
  export default defineThrottles({ ${throttles} });
`;
const messages = (zh_CN: object, en: object = zh_CN) => ({
  'lang/zh_CN.json': JSON.stringify(zh_CN),
  'lang/en.json': JSON.stringify(en),
});
const rule = "{ by: ['address'], limit: 5, windowSeconds: 60 }";
const failureRule = (code: string) =>
  `{ by: [{ body: 'account' }], limit: 5, windowSeconds: 60, failures: ['${code}'] }`;

describe('discover finds the declarations of a module', () => {
  test('for its own routes', async () => {
    const { modules, routes } = await find(
      declaring({
        'errors.ts': errorsSource("'shop.closed': 409"),
        'throttles.ts': throttlesSource(`order: { rules: [${rule}], fallback: 'process' }`),
        ...messages(
          { 'shop.closed': '打烊', 'rule.late': '{max}' },
          { 'shop.closed': 'Closed', 'rule.late': '{max}' },
        ),
        'Admin/order.ts': routeSource(
          'admin.post',
          "errors: ['shop.closed'], middleware: ['throttle:order'],",
        ),
      }),
      shop,
    );

    expect(modules[0]).toMatchObject({
      errors: { 'shop.closed': 409 },
      messages: { zh_CN: { 'shop.closed': '打烊' }, en: { 'shop.closed': 'Closed' } },
    });
    expect(routes[0]?.throttles).toMatchObject([
      { name: 'order', throttle: { fallback: 'process' }, file: 'modules/Shop/throttles.ts' },
    ]);
  });

  test('for routes of a module that requires it, in any order', async () => {
    const { routes } = await find(
      {
        ...declaring({
          'errors.ts': errorsSource("'shop.closed': 409"),
          ...messages({ 'shop.closed': 'Closed' }),
        }),
        'modules/Blog/module.ts': moduleSource('Blog', "requires: ['Shop']"),
        'modules/Blog/Admin/a.ts': routeSource('admin.get', "errors: ['shop.closed'],"),
      },
      { Blog: { enabled: true }, Shop: { enabled: true } },
    );

    expect(routes).toHaveLength(1);
  });

  test('for no routes of another module', async () => {
    const problems = await problemsOf(
      {
        ...declaring({
          'errors.ts': errorsSource("'shop.closed': 409"),
          'throttles.ts': throttlesSource(`order: { rules: [${rule}], fallback: 'process' }`),
          ...messages({ 'shop.closed': 'Closed' }),
        }),
        'modules/Blog/module.ts': moduleSource('Blog'),
        'modules/Blog/Admin/a.ts': routeSource(
          'admin.get',
          "errors: ['shop.closed'], middleware: ['throttle:order'],",
        ),
      },
      { Blog: { enabled: true }, Shop: { enabled: true } },
    );

    expect(problems).toEqual([
      expect.stringContaining(
        'modules/Blog/Admin/a.ts: its middleware "throttle:order" does not exist: use ',
      ),
      'modules/Blog/Admin/a.ts: its error "shop.closed" does not exist: add it to modules/Blog/errors.ts, or require the module that has it',
    ]);
  });
});

describe('discover reports a wrong declaration', () => {
  test.each<[string, Record<string, string>, string]>([
    [
      'a code of another form',
      { 'errors.ts': errorsSource("'Shop-closed': 409"), ...messages({ 'Shop-closed': 'a' }) },
      'errors.ts: "Shop-closed" is not a code: write it as shop.not_found',
    ],
    [
      'a code with a status that is no failure',
      { 'errors.ts': errorsSource("'shop.closed': 200"), ...messages({ 'shop.closed': 'a' }) },
      'errors.ts: "shop.closed" has the status 200: use 400 to 599',
    ],
    [
      'a code without messages',
      { 'errors.ts': errorsSource("'shop.closed': 409"), ...messages({}, { 'shop.closed': 'a' }) },
      'lang/zh_CN.json: "shop.closed" has no text: write one',
    ],
    [
      'a message that a locale lacks',
      messages({ 'rule.late': 'a' }, { 'rule.late': ' ' }),
      'lang/en.json: "rule.late" has no text: write one',
    ],
    [
      'a message with other placeholders',
      messages({ 'rule.late': '{max} {min}' }, { 'rule.late': '{max}' }),
      'lang: "rule.late" has other placeholders in another locale: use the same',
    ],
    [
      'a throttle of another form',
      { 'throttles.ts': throttlesSource(`Order: { rules: [${rule}], fallback: 'process' }`) },
      'throttles.ts: "Order" is not a name: write it in kebab-case',
    ],
    [
      'a throttle without rules',
      { 'throttles.ts': throttlesSource("order: { rules: [], fallback: 'process' }") },
      'throttles.ts: "order" needs rules: write [{ by, limit, windowSeconds }]',
    ],
    [
      'a throttle without a fallback',
      { 'throttles.ts': throttlesSource(`order: { rules: [${rule}] }`) },
      'throttles.ts: "order" needs a fallback: table or process',
    ],
    [
      'a throttle that exempts an unknown code',
      {
        'throttles.ts': throttlesSource(
          "order: { rules: [{ by: ['address'], limit: 5, windowSeconds: 60, exempt: 'shop.late' }], fallback: 'process' }",
        ),
      },
      'throttles.ts: "order" exempts shop.late, which is not a code',
    ],
    [
      'a throttle that counts an unknown code as a failure',
      {
        'throttles.ts': throttlesSource(
          `order: { rules: [${rule}, ${failureRule('shop.late')}], fallback: 'table' }`,
        ),
      },
      'throttles.ts: "order" counts shop.late as a failure, which is not a code',
    ],
    [
      'a throttle that counts by an unknown dimension',
      {
        'throttles.ts': throttlesSource(
          "order: { rules: [{ by: ['mobile'], limit: 5, windowSeconds: 60 }], fallback: 'process' }",
        ),
      },
      "throttles.ts: \"order\" needs by in each rule: list some of address, principal, guest_address, refused_address, { body: 'field' }, { credential: 'body' }",
    ],
    [
      'a throttle that counts by a field that its route does not have',
      {
        'throttles.ts': throttlesSource(
          "order: { rules: [{ by: [{ body: 'mobil' }], limit: 5, windowSeconds: 60 }], fallback: 'process' }",
        ),
        'Admin/order.ts': routeSource('admin.post', "middleware: ['throttle:order'],"),
      },
      'Admin/order.ts: throttle:order counts by "mobil", which its body does not have',
    ],
    [
      'a throttle that counts by a credential that its route does not find',
      {
        'throttles.ts': throttlesSource(
          "order: { rules: [{ by: [{ credential: 'query' }], limit: 5, windowSeconds: 60 }], fallback: 'process' }",
        ),
        'Admin/order.ts': routeSource('admin.post', "middleware: ['throttle:order'],"),
      },
      'Admin/order.ts: throttle:order counts by a credential: add readCredential',
    ],
    [
      'a throttle that only counts failures',
      {
        'throttles.ts': throttlesSource(
          `order: { rules: [${failureRule('request.invalid')}], fallback: 'table' }`,
        ),
      },
      'throttles.ts: "order" counts failures only: add a rule that refuses',
    ],
    [
      'a throttle that counts failures in each process alone',
      {
        'throttles.ts': throttlesSource(
          `order: { rules: [${rule}, ${failureRule('request.invalid')}], fallback: 'process' }`,
        ),
      },
      'throttles.ts: "order" counts failures, so it needs the fallback table',
    ],
    ['a file that is not JSON', { ...messages({}), 'lang/en.json': '{' }, 'lang/en.json cannot be read: '],
    [
      'a locale without a file',
      { 'lang/en.json': '{}' },
      'lang/zh_CN.json is missing: write a text for each key',
    ],
  ])('as %s', async (_title, files, problem) => {
    const problems = await problemsOf(declaring(files));

    expect(problems).toEqual([expect.stringContaining(`modules/Shop/${problem}`)]);
  });

  test('as a code, a throttle or a message that the platform or another module has', async () => {
    const own = {
      'errors.ts': errorsSource("'internal': 500, 'shop.closed': 409"),
      'throttles.ts': throttlesSource(`public: { rules: [${rule}], fallback: 'process' }`),
      ...messages({ internal: 'a', 'shop.closed': 'a', 'rule.late': 'a' }),
    };
    const problems = await problemsOf(
      {
        ...declaring(own),
        'modules/Blog/module.ts': moduleSource('Blog'),
        'modules/Blog/lang/en.json': '{"rule.late":"a"}',
        'modules/Blog/lang/zh_CN.json': '{"rule.late":"a"}',
      },
      { Shop: { enabled: true }, Blog: { enabled: true } },
    );

    expect(problems).toEqual([
      'modules/Shop/errors.ts: "internal" is also in shared/errors/catalogue.ts: rename one of them',
      'modules/Shop/throttles.ts: "public" is also in shared/throttle/throttles.ts: rename one of them',
      'modules/Shop/lang: "internal" is also in shared/i18n/lang: rename one of them',
      'modules/Blog/lang: "rule.late" is also in modules/Shop/lang: rename one of them',
    ]);
  });
});
