import '../../../support/environment.ts';
import '../../../support/no-audit-log.ts';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { writeInput } from '#functions/discover/describe-tools.ts';
import { type Route, admin as routes } from '#shared/http/route.ts';
import { mediaUrl } from '#shared/media/media-url.ts';
import { queryFlag } from '#shared/schema/list.ts';
import { integerText, text } from '#shared/schema/text.ts';
import { fromRoute, type ToolRoute } from '#shared/tools/from-route.ts';
import { invokeTool } from '#shared/tools/invoke.ts';
import type { McpTool } from '#shared/tools/mcp-tool.ts';
import { createRegistry, type ToolEntry } from '#shared/tools/registry.ts';
import { createCaller } from '../../../support/tool-caller.ts';
import { admin } from './fixture.ts';

const summary = { zh_CN: '订单列表', en: 'List orders' };
const anything = z.looseObject({});

const keys = z.pipe(
  z.string(),
  z.pipe(
    z.transform((given: string) => given.split(',')),
    z.array(z.string().check(z.regex(/^[a-z]+$/))),
  ),
);
const query = z
  .object({
    limit: z._default(integerText(1, 50), 20),
    all: z.optional(queryFlag),
    keys: z.optional(keys),
    name: z.optional(text(1, 5)),
  })
  .check(z.refine(({ all, name }) => !all || !name, { path: ['name'], error: 'rule.id' }));

const toolOf = (route: ToolRoute): McpTool => new (fromRoute(route, { name: 'shop.orders' }))();
/** Answers the query. */
const echo = routes.get({ summary, query, data: anything, handler: async ({ query }) => ({ ...query }) });

function call(tool: McpTool, given: unknown, needs: ToolEntry['needs'] = {}) {
  const { name, access } = tool;
  const permission = { path: 'shop/order/list', kind: access };
  const registry = createRegistry([{ name, access, permission, tool, needs }], async () => ({ default: {} }));
  const options = { ...createCaller(admin), channel: 'mcp', root: 'arguments' } as const;
  return invokeTool(registry, { name, arguments: given }, options);
}

const resultOf = async (tool: McpTool, given: unknown) => (await call(tool, given)).result;
const refusalOf = (tool: McpTool, given: unknown) =>
  call(tool, given).then(
    () => undefined,
    (error) => error.errors?.map(({ path }: { path: string }) => path),
  );

describe('a tool of a GET route', () => {
  const tool = toolOf(echo);

  test.each([
    [{}, { limit: 20 }],
    [{ limit: 5 }, { limit: 5 }],
    [{ all: false }, { limit: 20, all: false }],
    [{ keys: ['a', 'b'] }, { limit: 20, keys: ['a', 'b'] }],
    [{ name: ' ann ' }, { limit: 20, name: 'ann' }],
  ])('gives %j to the handler as %j', async (given, expected) => {
    expect(await resultOf(tool, given)).toEqual(expected);
  });

  test.each([
    [{ limit: 51 }, ['arguments.limit']],
    [{ limit: '5' }, ['arguments.limit']],
    [{ limit: true }, ['arguments.limit']],
    [{ all: 'true' }, ['arguments.all']],
    [{ all: 1 }, ['arguments.all']],
    [{ keys: 'a,b' }, ['arguments.keys']],
    [{ limit: 1.5 }, ['arguments.limit']],
    [{ limit: [5] }, ['arguments.limit']],
    [{ limit: null }, ['arguments.limit']],
    [{ all: 'maybe' }, ['arguments.all']],
    [{ keys: ['a', 'B'] }, ['arguments.keys.1']],
    [{ keys: [['a']] }, ['arguments.keys']],
    [{ name: 5 }, ['arguments.name']],
    [{ all: true, name: 'ann' }, ['arguments.name']],
    [{ other: 1 }, ['arguments.other']],
  ])('refuses %j', async (given, paths) => {
    expect(await refusalOf(tool, given)).toEqual(paths);
  });

  test('describes its arguments as JSON values', () => {
    expect(writeInput(tool.inputSchema)).toMatchObject({
      properties: {
        limit: { type: 'integer', minimum: 1, maximum: 50, default: 20 },
        all: { type: 'boolean' },
        keys: { type: 'array', items: { type: 'string' } },
        name: { type: 'string' },
      },
      additionalProperties: false,
    });
    expect(writeInput(tool.inputSchema).required).toBeUndefined();
  });

  test('reads, and has the summary of the route', () => {
    expect(tool).toMatchObject({ access: 'read', title: summary, description: 'List orders.' });
    const described = new (fromRoute(echo, { name: 'shop.orders', description: 'Newest first.' }))();
    expect(described.description).toBe('List orders. Newest first.');
  });

  test('runs the prefetch of the route before its handler', async () => {
    const route = routes.get({
      ...{ summary, query, data: anything },
      prefetch: async ({ query }) => [query.limit],
      handler: async ({ prefetched }) => ({ prefetched }),
    });

    expect(await resultOf(toolOf(route), { limit: 3 })).toEqual({ prefetched: [3] });
  });
});

describe('a tool of a POST route', () => {
  const body = z.strictObject({ title: text(1, 10), cover: z.optional(mediaUrl()) });
  const route = routes.post({
    ...{ summary, body, data: z.object({ title: z.string(), cover: mediaUrl() }) },
    handler: async ({ body }) => ({ title: body.title, cover: body.cover ?? 'uploads/a.png' }),
  });
  const tool = toolOf(route);

  test('writes, with the body as its arguments', () => {
    expect([tool.access, tool.inputSchema]).toEqual(['write', body]);
  });

  test('answers media as the route does', async () => {
    const result = await resultOf(tool, { title: 'New' });

    expect(result).toEqual({ title: 'New', cover: expect.stringMatching(/^http.+uploads\/a\.png$/) });
  });

  test('answers null for a route without data', async () => {
    const empty = routes.post({ summary, body, data: z.null(), handler: async () => {} });

    expect(await resultOf(toolOf(empty), { title: 'New' })).toBeNull();
  });

  test('reads, if the route only reads', () => {
    const search = routes.post({ summary, body, data: z.null(), right: 'read', handler: async () => {} });

    expect(toolOf(search).access).toBe('read');
  });
});

test('the handler of a route gets caller, locale, request and what it needs', async () => {
  const seen: unknown[] = [];
  const route: Route = routes.get({
    ...{ summary, data: z.null(), needs: ['permissions'] },
    handler: async (context) => {
      seen.push(context);
    },
  });
  const permissions = [{ path: 'shop/order/list', kind: 'read' }];

  await call(toolOf(route), {}, { permissions: async () => ({ default: permissions }) });

  expect(seen).toMatchObject([
    { admin, adminId: admin.id, locale: 'en', request: { id: 'request-1' }, permissions, query: {} },
  ]);
});
