import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { renderEntry } from '#functions/bundle/entry.ts';
import { createConsoleDescription } from '#functions/console/create-description.ts';
import { describeTools } from '#functions/discover/describe-tools.ts';
import { discover } from '#functions/discover/discover.ts';
import { createPermissionTable } from '#functions/discover/permissions.ts';
import { DiscoveryError } from '#functions/model.ts';
import { createDocument } from '#functions/openapi/document.ts';
import type { Load } from '#functions/scope.ts';
import { createFunctionMap } from '#functions/stacks/function-map.ts';
import { defineErrors } from '#shared/errors/app-error.ts';
import { admin, web } from '#shared/http/route.ts';
import { AiTool } from '#shared/tools/ai-tool.ts';
import { McpTool } from '#shared/tools/mcp-tool.ts';
import { createProject } from '../fixtures.ts';

// A developer's mistake of any kind is named with its file. TypeScript refuses most of these, but the start does not
// check types.

const title = { zh_CN: '甲', en: 'A' };
const input = z.strictObject({ id: z.string() });
const own = { name: 'shop.count', description: 'Counts.', inputSchema: input, access: 'read' };
const tool = { ...own, authorize: async () => {}, isDestructive: false, target: 'order:{id}' };

/** A class of a tool with these members. */
function createTool(base: unknown, members: object): unknown {
  class CountTool extends (base as new () => object) {
    constructor() {
      super();
      Object.assign(this, members);
    }
    handle() {}
  }
  return CountTool;
}

/** Correct declarations by file, and how each becomes an export. */
const files: Record<string, [declaration: object, toExport?: (declaration: object) => unknown]> = {
  'module.ts': [
    {
      ...{ name: 'Shop', title, version: '1.0.0', requires: [], isNeeded: false },
      adminFolders: { order: { ...title, records: 'shop_order' } },
      roles: { editor: ['shop:write'] },
      configs: [{ name: 'shop', title, keys: {} }],
      dictionaries: [{ type_key: 'shop_kind', name: 'Kinds', items: [{ value: 'a', name: 'One' }] }],
    },
  ],
  'errors.ts': [defineErrors({ 'shop.closed': 409 })],
  'throttles.ts': [
    { orders: { rules: [{ by: ['address'], limit: 5, windowSeconds: 60 }], fallback: 'process' } },
  ],
  'Admin/order/list.ts': [
    {
      ...admin.get({
        ...{ summary: title, query: z.object({ id: z.string() }), data: z.null(), handler: async () => null },
        ...{ errors: ['shop.closed'], limits: { timeoutSeconds: 5, memoryMb: 512 } },
      }),
      reference: { headers: [], example: { query: { id: 'a' } } },
    },
  ],
  'Admin/order/add.ts': [
    {
      ...admin.post({ summary: title, body: input, data: z.null(), handler: async () => null }),
      ...{ needs: [], asksFor: [], formerly: [], bodyLimitBytes: 1000, target: 'order:{id}' },
    },
  ],
  'Web/shop.ts': [
    {
      ...web.get({ summary: title, data: z.string(), handler: async () => '' }),
      ...{ aliases: ['/shopping'], middleware: ['throttle:orders'] },
    },
  ],
  'Jobs/tidy.ts': [{ schedule: 'rate(2 hours)', limits: { timeoutSeconds: 5 }, run: async () => ({}) }],
  'Stream/count.ts': [{ prefixes: ['SHOP_ORDER#'], maxAgeSeconds: 600, handle: async () => ({}) }],
  'Mcp/Tools/CountTool.ts': [tool, (members) => createTool(McpTool, members)],
  'Ai/Tools/CountTool.ts': [own, (members) => createTool(AiTool, members)],
};

const odd: unknown[] = [
  ...[undefined, null, 0, -1, Number.NaN, true, '', 'x', 'ü/../', [], [undefined], [null], ['x'], [[]]],
  ...[{}, { x: undefined }, { zh_CN: 1 }, () => 'x', 1n, z.string(), z.date()],
];

/** Copies of a declaration in which one value, at any depth, is an odd one. */
function* spoil(value: unknown, depth = 0): Generator<unknown> {
  if (depth > 0) yield* odd;
  if (typeof value !== 'object' || value === null || '_zod' in value || depth > 4) return;
  for (const [name, inner] of Object.entries(value)) {
    // The builders of routes add them.
    if (name === 'gates') continue;
    for (const each of spoil(inner, depth + 1)) {
      const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...value };
      Reflect.set(copy, name, each);
      yield copy;
    }
  }
}

let project: ReturnType<typeof createProject>;
beforeAll(() => {
  const names = Object.keys(files).map((file) => [`modules/Shop/${file}`, '']);
  const messages = '{ "shop.closed": "Closed" }';
  project = createProject({
    ...Object.fromEntries(names),
    ...{ 'modules/Shop/lang/en.json': messages, 'modules/Shop/lang/zh_CN.json': messages },
  });
});
afterAll(() => project.remove());

/** The problems of a module with one declaration replaced. */
async function judge(file?: string, declaration?: unknown): Promise<readonly string[]> {
  const load: Load = async <Exports>(path: string) => {
    const [name = '', [correct, toExport = (given: object) => given]] = Object.entries(files).find(
      ([each]) => path === join(project.root, 'modules/Shop', each),
    ) ?? ['', [{}]];
    const made = name === file ? declaration : correct;
    return { default: toExport(made as object) } as Exports;
  };
  try {
    const manifest = await discover(project.root, load, ['Shop']);
    for (const locale of ['en', 'zh_CN'] as const) createDocument(manifest, { locale, version: '1' });
    describeTools(manifest);
    createConsoleDescription(manifest);
    createPermissionTable(manifest);
    for (const route of manifest.routes) renderEntry(route, manifest);
    createFunctionMap(manifest, 'dev');
    return [];
  } catch (error) {
    if (error instanceof DiscoveryError) return error.problems;
    const { message, stack } = error as Error;
    return [message.startsWith('modules/Shop/') ? message : `CRASH ${stack}`];
  }
}

test('the correct declarations are accepted', async () => {
  expect(await judge()).toEqual([]);
});

test.each(Object.keys(files))('an odd value in %s is accepted or named with a file', async (file) => {
  const crashes = new Set<string>();
  let refused = 0;
  for (const declaration of spoil(files[file]?.[0])) {
    const problems = await judge(file, declaration);
    if (problems.length > 0) refused += 1;
    const unnamed = problems.filter((problem) => !problem.startsWith('modules/Shop'));
    for (const each of unnamed) crashes.add(each);
  }

  expect([...crashes]).toEqual([]);
  expect(refused).toBeGreaterThan(5);
});
