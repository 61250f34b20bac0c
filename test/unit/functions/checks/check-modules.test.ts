import { describe, expect, test } from '@jest/globals';
import { DiscoveryError } from '#functions/model.ts';
import { find } from '../discover/fixture.ts';
import { moduleSource, routeSource } from '../fixtures.ts';

/** What discovery says about modules with these files, by the name of each module. */
async function judge(
  files: Record<string, string>,
): Promise<{ problems: readonly string[]; warnings: readonly string[] }> {
  const names = new Set(Object.keys(files).map((file) => file.split('/')[1] ?? ''));
  try {
    const { warnings } = await find(files, [...names]);
    return { problems: [], warnings };
  } catch (error) {
    if (error instanceof DiscoveryError) return { problems: error.problems, warnings: [] };
    throw error;
  }
}

const seeded = (type_key: string, value: string) =>
  moduleSource(
    'Shop',
    `dictionaries: [{ type_key: '${type_key}', name: 'Kinds', items: [{ value: '${value}', name: 'One' }] }],`,
  );

/** A route that answers a field with a hint. */
const hinted = (hint: string) => `
  import * as z from 'zod/mini';
  import { admin } from '#shared/http/route.ts';
  import { titled } from '#shared/schema/titled.ts';
  export default admin.get({
    summary: { zh_CN: '甲', en: 'A' },
    data: z.strictObject({ kind: titled({ zh_CN: '乙', en: 'B', ${hint} }, z.string()) }),
    handler: async () => ({ kind: 'x' }),
  });
`;

/** A route whose file declares an entity. */
const withEntity = (partition: string, indexes = '') =>
  `import { defineEntity } from '#shared/db/entity.ts';
   defineEntity({
     row: z.object({ id: z.string() }),
     key: ({ id }) => ({ pk: ${partition}, sk: id }),
     missing: () => new Error('missing'),
     ${indexes}
   });
  ${routeSource('admin.get')}`;

describe('a dictionary of a manifest', () => {
  test.each([
    ['Kind', 'a', /its dictionary "Kind": its type_key "Kind" is not allowed: /],
    ['shop_kind', '值', /its dictionary "shop_kind": its items\[0\]\.value "值" is not allowed: /],
  ])('with the key %s and the value %s is refused', async (key, value, problem) => {
    const { problems } = await judge({ 'modules/Shop/module.ts': seeded(key, value) });

    expect(problems).toEqual([expect.stringMatching(problem)]);
    expect(problems[0]).toMatch(/^modules\/Shop\/module\.ts: /);
  });
});

test.each([
  ['dictionaries: [undefined]', 'its dictionaries[0] is undefined'],
  ["dictionaries: [{ type_key: 'a', name: 'A', items: [undefined] }]", 'its items[0] is undefined'],
  ["dictionaries: [{ type_key: 'a', name: 'A', items: [null] }]", 'its items[0] is null'],
])('a manifest with %s is named', async (rest, problem) => {
  const { problems } = await judge({ 'modules/Shop/module.ts': moduleSource('Shop', rest) });

  expect(problems).toEqual([expect.stringContaining(problem)]);
  expect(problems[0]).toMatch(/^modules\/Shop\/module\.ts: /);
});

describe('the schemas of a route', () => {
  const file = 'modules/Shop/Admin/order/list.ts';
  const answering = (schema: string) => `
    import * as z from 'zod/mini';
    import { admin } from '#shared/http/route.ts';
    const makeTree = () => z.object({ children: z.lazy(() => z.array(makeTree())) });
    const tree = z.object({ children: z.lazy(() => z.array(tree)) });
    export default admin.get({
      summary: { zh_CN: '甲', en: 'A' },
      data: z.strictObject({ field: ${schema} }),
      handler: async () => null,
    });
  `;
  const judgeSchema = (schema: string) =>
    judge({ 'modules/Shop/module.ts': moduleSource('Shop'), [file]: answering(schema) });

  test.each([
    ['makeTree()', 'Maximum call stack size exceeded: make a schema that contains itself once'],
    ["z.lazy(() => { throw new Error('broken factory'); })", 'broken factory'],
    ["z.object({ get inner() { throw new Error('broken getter'); } })", 'broken getter'],
  ])('are named if they cannot be read: %s', async (schema, problem) => {
    const { problems } = await judgeSchema(schema);

    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems[0]).toMatch(/^modules\/Shop\/Admin\/order\/list\.ts: its schema cannot be checked: /);
  });

  test.each([
    'tree',
    "z._default(z.string(), () => { throw new Error('not to be called'); })",
    "z.prefault(z.string(), () => { throw new Error('not to be called'); })",
  ])('are read without a call of the functions of defaults: %s', async (schema) => {
    expect(await judgeSchema(schema)).toEqual({ problems: [], warnings: [] });
  });

  test.each(['z.lazy(() => HINTED)', 'z.catchall(z.object({}), HINTED)', 'z._default(HINTED, "x")'])(
    'are searched for hints: %s',
    async (schema) => {
      const hint = "titled({ zh_CN: '乙', en: 'B', refersTo: 'shop/customer' }, z.string())";
      const source = answering(schema.replace('HINTED', hint));
      const imports = "import { titled } from '#shared/schema/titled.ts';";

      const { problems } = await judge({
        ...{ 'modules/Shop/module.ts': moduleSource('Shop'), [file]: imports + source },
      });

      expect(problems).toEqual([expect.stringContaining('its field field refers to "shop/customer"')]);
    },
  );
});

describe('a hint of a field', () => {
  const file = 'modules/Shop/Admin/order/detail.ts';

  test('that names records without a list is refused', async () => {
    const { problems } = await judge({
      'modules/Shop/module.ts': moduleSource('Shop'),
      [file]: hinted("refersTo: 'shop/customer'"),
    });

    expect(problems).toEqual([expect.stringContaining(`${file}: its field kind refers to "shop/customer"`)]);
  });

  test('that names a dictionary of no module is a warning, since operators can create it', async () => {
    const { problems, warnings } = await judge({
      'modules/Shop/module.ts': moduleSource('Shop'),
      [file]: hinted("dictionary: 'shop_kind'"),
    });

    expect(problems).toEqual([]);
    expect(warnings).toEqual([
      expect.stringContaining(`${file}: its field kind takes values of the dictionary "shop_kind"`),
    ]);
  });

  test('is accepted if its records and its dictionary exist', async () => {
    const files = {
      'modules/Shop/module.ts': seeded('shop_kind', 'a'),
      'modules/Shop/Admin/order/list.ts': routeSource('admin.get'),
      [file]: hinted("dictionary: 'shop_kind', refersTo: 'shop/order'"),
    };

    expect(await judge(files)).toEqual({ problems: [], warnings: [] });
  });
});

describe('an entity', () => {
  const shop = 'modules/Shop/Admin/order/list.ts';
  const bazaar = 'modules/Bazaar/Admin/stall/list.ts';
  const modules = {
    'modules/Shop/module.ts': moduleSource('Shop'),
    'modules/Bazaar/module.ts': moduleSource('Bazaar'),
  };

  test('with two indexes on one attribute is refused', async () => {
    const index = (pk: string) => `{ name: 'gsi1', pk: () => '${pk}', sk: ({ id }) => id }`;
    const indexes = `indexes: { all: ${index('SHOP')}, new: ${index('SHOP_NEW')} },`;

    const { problems } = await judge({ ...modules, [shop]: withEntity("'SHOP_ORDER#' + id", indexes) });

    expect(problems).toEqual([expect.stringContaining(`${shop}: two indexes of an entity are on gsi1`)]);
  });

  test.each([`'SHOP_ORDER#' + id`, `'SHOP_ORDER#OLD#' + id`, "'SHOP_ORDER#7'"])(
    'whose key %s begins as that of another module is refused',
    async (key) => {
      const { problems } = await judge({
        ...modules,
        [shop]: withEntity(`'SHOP_ORDER#' + id`),
        [bazaar]: withEntity(key),
      });

      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain('the key of an entity begins with "SHOP_ORDER#');
    },
  );

  // An entity of the platform, and items of it without one.
  test.each([
    ...['SESSION#', 'AUDIT#', 'AUDIT#2026-', 'COUNTER#', 'CLAIM#SHOP#', 'CONFIG#', 'THROTTLE#', 'ONCE#'],
    'AUDIT_DIGEST#',
  ])('whose key begins with %s, as items of the platform, is refused', async (beginning) => {
    const { problems } = await judge({ ...modules, [shop]: withEntity(`'${beginning}' + id`) });

    expect(problems).toEqual([
      expect.stringContaining(`${shop}: the key of an entity begins with "${beginning}"`),
    ]);
  });

  test('whose key is made of the month of an ID is compared too', async () => {
    const month = (id: string) => `'SHOP_MONTH#' + new Date(decodeTime(${id})).toISOString().slice(0, 7)`;
    const source = `import { decodeTime } from 'ulid'; ${withEntity(month('id'))}`;

    const { problems } = await judge({
      ...modules,
      [shop]: source,
      [bazaar]: withEntity(`'SHOP_MONTH#' + id`),
    });

    expect(problems).toEqual([
      expect.stringContaining('and that of modules/Shop/Admin/order/list.ts with "SHOP_MONTH#"'),
    ]);
  });

  test.each(['AUDITS#', 'COUNTERS#', 'SHOP_COUNTER#'])(
    'whose key begins with %s is accepted',
    async (beginning) => {
      const files = { ...modules, [shop]: withEntity(`'${beginning}' + id`) };

      expect((await judge(files)).problems).toEqual([]);
    },
  );

  test('with a beginning of its own is accepted', async () => {
    const files = {
      ...modules,
      [shop]: withEntity(`'SHOP_ORDER#' + id`),
      [bazaar]: withEntity(`'BAZAAR_STALL#' + id`),
    };

    expect((await judge(files)).problems).toEqual([]);
  });
});

describe('the name of records in the audit log', () => {
  const list = 'modules/Shop/Admin/order/list.ts';
  const pay = 'modules/Shop/Admin/order/pay.ts';
  const folders = (records: string) =>
    moduleSource('Shop', `adminFolders: { order: { zh_CN: '甲', en: 'A', records: '${records}' } },`);
  const judgeRecords = (records: string, own: string, target = `${records}:{id}`) =>
    judge({
      'modules/Shop/module.ts': folders(records),
      [list]: withEntity(`'SHOP_ORDER#' + id`).replace('missing:', `target: '${own}', missing:`),
      [pay]: routeSource('admin.post', `target: '${target}',`).replace(
        'z.strictObject({})',
        'z.strictObject({ id: z.string() })',
      ),
    });

  test.each([
    ['shop-order', 'shop_order'],
    ['SHOP_ORDER', 'shop_order'],
    ['shoporder', 'shop_order'],
    ['shop_order', 'shop-order'],
    ['shop_order', 'shoporder'],
  ])('%s is refused for an entity with the target %s', async (records, name) => {
    const { problems } = await judgeRecords(records, name, 'shop:{id}');

    expect(problems).toEqual([
      `modules/Shop/module.ts: its records of the folder "order" is "${records}", but ${list} declares the target "${name}": write that`,
    ]);
  });

  test('is refused in the target of a route', async () => {
    const { problems } = await judgeRecords('shop_order', 'shop_order', 'shop-order:{id}');

    expect(problems).toEqual([
      `${pay}: the first part of its target is "shop-order", but ${list} declares the target "shop_order": write that`,
    ]);
  });

  test.each([
    ['shop_order', 'shop_order'],
    ['shop2-order', 'shop2-order'],
    ['admin', 'shop_order'],
  ])('%s is accepted for an entity with the target %s', async (records, own) => {
    expect(await judgeRecords(records, own)).toEqual({ problems: [], warnings: [] });
  });

  test('of no entity is a warning, since records may have none', async () => {
    expect(await judgeRecords('shop_bill', 'shop_order')).toEqual({
      ...{ problems: [] },
      warnings: [
        'modules/Shop/module.ts: its records of the folder "order" is "shop_bill", but the targets of its entities are shop_order',
      ],
    });
  });

  test('is accepted if the module declares no entity', async () => {
    expect(await judge({ 'modules/Shop/module.ts': folders('shop_bill') })).toEqual({
      ...{ problems: [], warnings: [] },
    });
  });
});

describe('a code that a route throws', () => {
  const file = 'modules/Shop/Admin/order/list.ts';
  /** A route with this handler. */
  const throwing = (handler: string, rest = '') => `
    import * as z from 'zod/mini';
    import { AppError } from '#shared/errors/app-error.ts';
    import { admin } from '#shared/http/route.ts';
    import errors from '../../errors.ts';
    ${rest}
    export default admin.get({ summary: { zh_CN: '甲', en: 'A' }, data: z.null(), handler: ${handler} });
  `;
  const close = (handler: string) => handler.replace('CLOSE', "throw errors.create('shop.closed');");
  const modules = {
    'modules/Shop/module.ts': moduleSource('Shop'),
    'modules/Shop/errors.ts': `
      import { defineErrors } from '#shared/errors/app-error.ts';
      export default defineErrors({ 'shop.closed': 409 });`,
    'modules/Shop/lang/en.json': '{ "shop.closed": "Closed" }',
    'modules/Shop/lang/zh_CN.json': '{ "shop.closed": "已关闭" }',
  };
  const notListed = `${file}: it throws shop.closed, which its errors do not list`;

  test.each([
    'async () => { CLOSE }',
    'async function () { if (Math.random() > 2) { CLOSE } return null; }',
    'async () => { throw errors.create(`shop.closed`); }',
    'async () => { try { return null; } catch { CLOSE } }',
    'async () => { try { CLOSE } finally { Date.now(); } }',
  ])('is refused if the route does not declare it: %s', async (handler) => {
    expect(await judge({ ...modules, [file]: throwing(close(handler)) })).toEqual({
      ...{ problems: [`${notListed}: add it to errors`], warnings: [] },
    });
  });

  test('is refused in a handler that is written as a method', async () => {
    const source = throwing('0').replace('handler: 0', `async ${close('handler() { CLOSE }')}`);

    expect((await judge({ ...modules, [file]: source })).problems).toEqual([
      `${notListed}: add it to errors`,
    ]);
  });

  test('is refused if it is of the platform', async () => {
    const source = throwing("async () => { throw new AppError('version_conflict'); }");

    expect((await judge({ ...modules, [file]: source })).problems).toEqual([
      `${file}: it throws version_conflict, which its errors do not list: add it to errors`,
    ]);
  });

  // It may be caught, or never be an answer.
  test.each([
    ['async () => { try { CLOSE } catch { return null; } }', ''],
    ['async () => { await (async () => { CLOSE })().catch(() => {}); return null; }', ''],
    ['async () => null', close('export const fail = () => { CLOSE };')],
    ['async () => null', "export const refusal = errors.create('shop.closed');"],
  ])('is a warning if the route may not answer it: %s %s', async (handler, rest) => {
    expect(await judge({ ...modules, [file]: throwing(close(handler), rest) })).toEqual({
      ...{ problems: [], warnings: [`${notListed}: add it to errors if the route can answer it`] },
    });
  });

  test.each([
    ['async () => null', "// errors.create('shop.closed') is thrown by the helper"],
    ['async () => null', "/** new AppError('shop.closed') */"],
    ['async () => null', `export const text = "errors.create('shop.closed')";`],
    ['async () => null', `export const text = \`new AppError('shop.closed')\`;`],
  ])('is not in a comment or a text: %s %s', async (handler, rest) => {
    expect(await judge({ ...modules, [file]: throwing(handler, rest) })).toEqual({
      ...{ problems: [], warnings: [] },
    });
  });

  test('is accepted if the route declares it', async () => {
    const source = throwing(close('async () => { CLOSE }'));
    const files = { ...modules, [file]: source.replace('handler:', "errors: ['shop.closed'], handler:") };

    expect(await judge(files)).toEqual({ problems: [], warnings: [] });
  });
});
