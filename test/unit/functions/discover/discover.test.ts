import { describe, expect, test } from '@jest/globals';
import { listRouteFunctions } from '#functions/model.ts';
import { createFunctionMap } from '#functions/stacks/function-map.ts';
import { moduleSource, routeSource } from '../fixtures.ts';
import { find, problemsOf } from './fixture.ts';

describe('discover', () => {
  test('gives the routes of a folder one function, but for those with something of their own', async () => {
    const { routes } = await find({
      'modules/Shop/module.ts': moduleSource('Shop', "functions: 'folder'"),
      'modules/Shop/Admin/order/list.ts': routeSource('admin.get'),
      'modules/Shop/Admin/order/import.ts': routeSource('admin.post', 'limits: { timeoutSeconds: 29 },'),
      'modules/Shop/Admin/order/all.ts': routeSource('admin.get', "needs: ['modules'],"),
      'modules/Shop/Admin/order/print.ts': routeSource('admin.get', 'limits: { memoryMb: 1024 },'),
      'modules/Shop/Admin/order/pay.ts': routeSource('admin.post', 'limits: { concurrency: 5 },'),
      'modules/Shop/Admin/order/scan.ts': routeSource('admin.post', 'storage: true,'),
      'modules/Shop/Api/order.ts': routeSource('api.openGet'),
    });

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

  test('finds a route for every file of the route folders', async () => {
    const { modules, routes } = await find({
      'modules/Shop/Admin/order/list.ts': routeSource('admin.get'),
      'modules/Shop/Admin/order/add.ts': routeSource('admin.post'),
      'modules/Shop/Api/order.ts': routeSource('api.openGet'),
      'modules/Shop/Web/shop-window.ts': routeSource('web.get'),
      'modules/Shop/data/orders.ts': 'export const orders = [];',
      'modules/Shop/lang/en.json': '{}',
      'modules/Shop/lang/zh_CN.json': '{}',
      'modules/Shop/Admin/notes.md': 'no route',
    });

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
    const { modules } = await find({}, ['UserCenter', 'Shop']);

    expect(modules.map(({ prefix }) => prefix)).toEqual(['user-center', 'shop']);
  });

  test('does not load a module that is not enabled', async () => {
    const { modules, routes } = await find(
      { 'modules/Shop/module.ts': 'throw new Error("loaded");' },
      ['Shop'],
      false,
    );

    expect([modules, routes]).toEqual([[], []]);
  });

  test('accepts two methods of one URL in files named after them', async () => {
    const { routes } = await find({
      'modules/Shop/Api/part.get.ts': routeSource('api.openGet'),
      'modules/Shop/Api/part.post.ts': routeSource('api.openPost'),
    });

    expect(routes.map(({ route, path }) => `${route.method} ${path}`)).toEqual([
      'GET /api/shop/part',
      'POST /api/shop/part',
    ]);
  });
});

describe('discover names the file, the broken rule and the fix', () => {
  test('of a bad module name', async () => {
    expect(await problemsOf({}, ['user-center'])).toEqual([
      'modules/modules.json: "user-center" is not a module name: use PascalCase, as in UserCenter',
    ]);
  });

  test.each([
    [undefined, ' is missing: create it, or take "Shop" out of modules/modules.json'],
    [moduleSource('Store'), ' is named "Store": name it "Shop", as its folder'],
    ['export const shop = {};', ' has no default export: export default what it declares'],
    [moduleSource('Shop', 'requires: ["User"]'), ' requires User: enable it first'],
    [
      moduleSource('Shop', "functions: 'module' as never"),
      `: its functions is "module": write 'folder', or leave it out`,
    ],
  ])('of a manifest %j', async (source, fault) => {
    expect(await problemsOf({ 'modules/Shop/module.ts': source })).toEqual([
      `modules/Shop/module.ts${fault}`,
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

  test.each([
    ['export default {', ' cannot be loaded: .'],
    ['throw new Error("on purpose");', ' cannot be loaded: on purpose$'],
    ['import "./none.ts"; export default 1;', ' cannot be loaded: [^]*none\\.ts'],
    ['export {};', ' has no default export: .'],
    ['export default 42;', ': exports no route: .'],
    [routeSource('api.get'), ': is built with api\\.\\*: '],
  ])('of a route file %j', async (source, fault) => {
    const problems = await problemsOf({ 'modules/Shop/Admin/a.ts': source });

    expect(problems).toEqual([expect.stringMatching(`^modules/Shop/Admin/a\\.ts${fault}`)]);
  });

  test.each(
    Object.entries({
      'get, body: z.strictObject({})': 'a GET takes no body',
      'post, body: z.object({})': 'the body of a',
      "get, middleware: ['throttle:nope']":
        'its middleware "throttle:nope" does not exist: use .*throttle:public, .*, or add a throttle to modules/Shop/throttles\\.ts',
      'openGet, middleware: [undefined]':
        'its middleware undefined does not exist: use .*api\\.try-auth, mcp\\.auth',
      "get, needs: ['tool']": 'it needs "tool", which does not exist: use modules, tools, documents',
      "get, middleware: 'throttle:public'": 'its middleware is not a list of texts: write ',
      "get, errors: ['constructor', 'version_conflict']":
        'its error "constructor" does not exist: add it to modules/Shop/errors.ts, or require the module',
      "get, summary: { en: 'A' }": 'its summary has no zh_CN: write one line in each of zh_CN, en',
      "post, target: 'shop_order:{id}:{adminId}'": 'its target names id, which is not sent',
      "post, target: 'Shop order'": 'its target "Shop order" is not a pattern: write it as order:\\{id\\}',
      'get, data: undefined': 'its data is not a schema: use a zod schema',
      'get, query: { id: z.string() }': 'its query is not a z\\.object: write ',
      'post, body: { id: z.string() }': 'the body of a POST is a z\\.strictObject',
      'get, limits: { timeoutSeconds: 30 }':
        'its limits\\.timeoutSeconds is 30: write a whole number from 1 to 29',
      "get, limits: { memoryMb: '1GB' }":
        'its limits\\.memoryMb is "1GB": write a whole number from 128 to 10240',
      'post, bodyLimitBytes: 10_000_000':
        'its bodyLimitBytes is 10000000: write a whole number from 1 to 6000000',
    }),
  )('of a route file with %s', async (declaration, fault) => {
    const [builder, rest = ''] = declaration.split(/, (.*)/s);
    const source = routeSource(`admin.${builder}`, `${rest},`);
    const problems = await problemsOf({ 'modules/Shop/Admin/a.ts': source });

    expect(problems).toEqual([expect.stringMatching(`^modules/Shop/Admin/a\\.ts: ${fault}`)]);
  });

  test.each([
    ['order_list.ts', '"order_list" cannot be part of a URL: use letters, digits and hyphens'],
    ['order.post.ts', 'is named for POST and built for GET: rename it'],
  ])('of a file that is named %s', async (name, fault) => {
    const problems = await problemsOf({
      [`modules/Shop/Admin/${name}`]: routeSource('admin.get'),
    });

    expect(problems).toEqual([`modules/Shop/Admin/${name}: ${fault}`]);
  });

  test('of two modules with one path', async () => {
    const problems = await problemsOf(
      {
        'modules/Shop/Web/window.ts': routeSource('web.get'),
        'modules/Store/Web/window.ts': routeSource('web.get'),
      },
      ['Shop', 'Store'],
    );

    expect(problems).toEqual([
      'modules/Store/Web/window.ts: GET /window is also in modules/Shop/Web/window.ts: rename one of them',
    ]);
  });

  test('of two files whose functions would have one name', async () => {
    const problems = await problemsOf({
      'modules/Shop/Admin/order-list.ts': routeSource('admin.get'),
      'modules/Shop/Admin/order/list.ts': routeSource('admin.get'),
    });

    expect(problems).toEqual([
      'modules/Shop/Admin/order/list.ts: function shop-admin-order-list is also in modules/Shop/Admin/order-list.ts: rename one of them',
    ]);
  });

  test.each([
    ['statistics: { orders: 7 }', '{ orders: { title, to, permission, read } }'],
    ['statistics: { orders: { read() {} } }', '{ orders: { title, to, permission, read } }'],
    [
      "waiting: { late: { title: { zh_CN: 'x', en: 'x' }, to: 'x', permission: 'x' } }",
      '{ orders: { title, to, permission, count } }',
    ],
    ['latest: 1', '{ orders: listLatestOrders }'],
  ])('of contributions with %s', async (part, form) => {
    const [kind] = part.split(':');
    const source = `export default { ${part} };`;

    expect(await problemsOf({ 'modules/Shop/contributions.ts': source })).toEqual([
      `modules/Shop/contributions.ts: its ${kind} does not fit: write ${kind}: ${form}`,
    ]);
  });

  test('of two modules that contribute the same kind', async () => {
    const contributions = 'export default { latest: { orders: async () => [] } };';
    const problems = await problemsOf(
      {
        'modules/Shop/contributions.ts': contributions,
        'modules/Store/contributions.ts': contributions,
      },
      ['Shop', 'Store'],
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
      ['bad', 'Shop', 'Store'],
    );

    expect(problems).toEqual([
      expect.stringContaining('"bad" is not a module name'),
      'modules/Shop/module.ts cannot be loaded: on purpose',
    ]);
  });

  test('of a reason for which many files cannot be loaded once', async () => {
    const problems = await problemsOf({
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
        'modules/Missing/module.ts': undefined,
        'modules/Shop/module.ts': moduleSource('Shop', 'requires: ["Gone"]'),
        'modules/Shop/Admin/a.ts': routeSource('api.get', 'body: z.object({}),'),
        'modules/Shop/Admin/b_c.ts': routeSource('admin.get'),
        'modules/Shop/Api/d.ts': 'throw new Error("on purpose");',
      },
      ['bad', 'Missing', 'Shop'],
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

/** Files of the module Shop. */
const declaring = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([file, text]) => [`modules/Shop/${file}`, text]));
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
      ['Blog', 'Shop'],
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
        'modules/Blog/Admin/a.ts': routeSource(
          'admin.get',
          "errors: ['shop.closed'], middleware: ['throttle:order'],",
        ),
      },
      ['Blog', 'Shop'],
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
  const declaringCode = (code: string, ...texts: Parameters<typeof messages>) => ({
    'errors.ts': errorsSource(code),
    ...messages(...texts),
  });
  const countingBy = (field: string) => ({
    'throttles.ts': throttlesSource(
      `order: { rules: [{ by: [${field}], limit: 5, windowSeconds: 60 }], fallback: 'process' }`,
    ),
    'Admin/order.ts': routeSource('admin.post', "middleware: ['throttle:order'],"),
  });

  test.each(
    Object.entries<Record<string, string>>({
      'errors.ts: "Shop-closed" is not a code: write it as shop.not_found': declaringCode(
        "'Shop-closed': 409",
        { 'Shop-closed': 'a' },
      ),
      'errors.ts: "shop.closed" has the status 200: use 400 to 599': declaringCode("'shop.closed': 200", {
        'shop.closed': 'a',
      }),
      'lang/zh_CN.json: "shop.closed" has no text: write one': declaringCode(
        "'shop.closed': 409",
        {},
        { 'shop.closed': 'a' },
      ),
      'lang/en.json: "rule.late" has no text: write one': messages(
        { 'rule.late': 'a' },
        { 'rule.late': ' ' },
      ),
      'lang: "rule.late" has other placeholders in another locale: use the same': messages(
        { 'rule.late': '{max} {min}' },
        { 'rule.late': '{max}' },
      ),
      'Admin/order.ts: throttle:order counts by "mobil", which its body does not have':
        countingBy("{ body: 'mobil' }"),
      'Admin/order.ts: throttle:order counts by a credential: add readCredential':
        countingBy("{ credential: 'query' }"),
      'lang/en.json cannot be read: ': { ...messages({}), 'lang/en.json': '{' },
      'lang/zh_CN.json is missing: write a text for each key': { 'lang/en.json': '{}' },
    }),
  )('as %s', async (problem, files) => {
    const problems = await problemsOf(declaring(files));

    expect(problems).toEqual([expect.stringContaining(`modules/Shop/${problem}`)]);
  });

  test.each(
    Object.entries({
      [`Order: { rules: [${rule}], fallback: 'process' }`]: '"Order" is not a name: write it in kebab-case',
      "order: { rules: [], fallback: 'process' }":
        '"order" needs rules: write [{ by, limit, windowSeconds }]',
      [`order: { rules: [${rule}] }`]: '"order" needs a fallback: table or process',
      "order: { rules: [{ by: ['address'], limit: 5, windowSeconds: 60, exempt: 'shop.late' }], fallback: 'process' }":
        '"order" exempts shop.late, which is not a code',
      [`order: { rules: [${rule}, ${failureRule('shop.late')}], fallback: 'table' }`]:
        '"order" counts shop.late as a failure, which is not a code',
      "order: { rules: [{ by: ['mobile'], limit: 5, windowSeconds: 60 }], fallback: 'process' }":
        "\"order\" needs by in each rule: list some of address, principal, guest_address, refused_address, { body: 'field' }, { credential: 'body' }",
      [`order: { rules: [${failureRule('request.invalid')}], fallback: 'table' }`]:
        '"order" counts failures only: add a rule that refuses',
      [`order: { rules: [${rule}, ${failureRule('request.invalid')}], fallback: 'process' }`]:
        '"order" counts failures, so it needs the fallback table',
    }),
  )('as throttles with %s', async (throttles, fault) => {
    expect(await problemsOf(declaring({ 'throttles.ts': throttlesSource(throttles) }))).toEqual([
      `modules/Shop/throttles.ts: ${fault}`,
    ]);
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
        'modules/Blog/lang/en.json': '{"rule.late":"a"}',
        'modules/Blog/lang/zh_CN.json': '{"rule.late":"a"}',
      },
      ['Shop', 'Blog'],
    );

    expect(problems).toEqual([
      'modules/Shop/errors.ts: "internal" is also in shared/errors/catalogue.ts: rename one of them',
      'modules/Shop/throttles.ts: "public" is also in shared/throttle/throttles.ts: rename one of them',
      'modules/Shop/lang: "internal" is also in shared/i18n/lang: rename one of them',
      'modules/Blog/lang: "rule.late" is also in modules/Shop/lang: rename one of them',
    ]);
  });
});
