import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { renderEntry, renderFallbackEntry } from '#functions/entry.ts';
import type { Area, Route } from '#shared/http/route.ts';
import { adapt } from '#shared/tools/ai-tool.ts';
import { McpTool } from '#shared/tools/mcp-tool.ts';
import { createRoute, foundRoute } from './fixtures.ts';

const input = z.strictObject({});
class CountTool extends McpTool<typeof input> {
  override readonly name = 'shop.count';
  override readonly description = 'Counts.';
  override readonly inputSchema = input;
  override async handle() {
    return 1;
  }
}
class CountAdapter extends adapt(CountTool) {}

const importsOf = (source: string) =>
  [...source.matchAll(/^import .* from '(.+)';$/gm)].map(([, file]) => file);
const gatesOf = (source: string) => /gates: \[(.*)\]/.exec(source)?.[1];
const entryOf = (area: Area, access: Route['access']) =>
  renderEntry(foundRoute({ route: createRoute(area, 'GET', { access }) }));

describe('renderEntry', () => {
  test('imports the chain, the gates and exactly one route', () => {
    const source = entryOf('admin', 'required');

    expect(importsOf(source)).toEqual([
      '#shared/http/endpoint.ts',
      '#shared/http/gates/admin-auth.ts',
      '#modules/System/Admin/a.ts',
    ]);
    expect(source).toContain("export const handler = endpoint(route, { name: 'system-admin-a', gates: [");
  });

  test.each([
    ['admin', 'required', 'adminAuth'],
    ['admin', 'open', ''],
    ['api', 'required', 'apiSite, apiAuth'],
    ['api', 'open', 'apiSite'],
    ['web', 'open', ''],
  ] as const)('puts before a route of %s that is %s the gates [%s]', (area, access, gates) => {
    const source = entryOf(area, access);

    expect(gatesOf(source)).toBe(gates);
    expect(importsOf(source).filter((file) => file?.includes('/gates/'))).toHaveLength(
      gates.split(', ').filter(Boolean).length,
    );
  });

  test('puts the site before throttles, and both before the login', () => {
    const source = renderEntry(
      foundRoute({
        route: createRoute('api', 'POST', {
          middleware: ['throttle:sms', 'throttle:public', 'api.try-auth'],
        }),
      }),
    );

    expect(gatesOf(source)).toBe("apiSite, throttle('sms'), throttle('public'), apiTryAuth");
  });

  test('puts the gate of MCP behind throttles, before a route of any area that asks for it', () => {
    for (const area of ['admin', 'web'] as const) {
      const middleware = ['mcp.auth', 'throttle:ai'] as const;
      const source = renderEntry(foundRoute({ route: createRoute(area, 'POST', { middleware }) }));

      expect(gatesOf(source)).toBe("throttle('ai'), mcpAuth");
      expect(importsOf(source)).toContain('#shared/http/gates/mcp-auth.ts');
    }
  });

  test('imports every gate it names once', () => {
    const route = createRoute('api', 'POST', {
      access: 'required',
      middleware: ['throttle:sms', 'throttle:public'],
    });
    const source = renderEntry(foundRoute({ route }));

    for (const name of ['apiSite', 'throttle', 'apiAuth']) {
      expect(source.split(`import { ${name} } from`)).toHaveLength(2);
    }
  });

  test('gives the manifests of all modules to a route that asks for them only', () => {
    const asking = foundRoute({ route: createRoute('admin', 'GET', { modules: true }) });

    expect(renderEntry(asking, ['System', 'Shop'])).toContain('modules: [System, Shop]');
    expect(renderEntry(foundRoute(), ['System', 'Shop'])).not.toContain('Shop');
  });
});

describe('renderEntry of a route that asks for the documents', () => {
  test('loads each when it is asked for, and makes none', () => {
    const source = renderEntry(foundRoute({ route: createRoute('web', 'GET', { documents: true }) }));

    for (const locale of ['zh_CN', 'en']) {
      expect(source).toContain(
        `${locale}: () => import('../openapi/${locale}.json', { with: { type: 'json' } })`,
      );
    }
    expect(importsOf(source)).toEqual(['#shared/http/endpoint.ts', '#modules/System/Admin/a.ts']);
  });
});

describe('renderEntry of a route that asks for tools', () => {
  const asking = foundRoute({ route: createRoute('admin', 'POST', { tools: true }) });
  const found = {
    tools: [{ file: 'modules/Shop/Mcp/Tools/CountTool.ts', tool: new CountTool() }],
    adapters: [{ file: 'modules/Shop/Ai/Tools/CountTool.ts', adapter: new CountAdapter() }],
  };

  test('imports exactly the tools and adapters that there are', () => {
    const source = renderEntry(asking, [], found);

    expect(importsOf(source).slice(1)).toEqual([
      '#shared/tools/registry.ts',
      '#modules/Shop/Mcp/Tools/CountTool.ts',
      '#modules/Shop/Ai/Tools/CountTool.ts',
      '#modules/System/Admin/a.ts',
    ]);
    expect(source).toContain('tools: createRegistry([new Tool0()], [new Adapter0()])');
  });

  test('gives it an empty registry where there are none', () => {
    const source = renderEntry(asking);

    expect(source).toContain('tools: createRegistry([], [])');
  });

  test('leaves them out for every other route', () => {
    const source = renderEntry(foundRoute(), [], found);

    expect(source).not.toMatch(/tools/i);
  });
});

describe('renderFallbackEntry', () => {
  test('knows every path with its methods, and imports no route', () => {
    const source = renderFallbackEntry([
      foundRoute(),
      foundRoute({ path: '/api/b' }),
      foundRoute({ path: '/api/b', route: createRoute('api', 'POST') }),
    ]);

    expect(importsOf(source)).toEqual(['#shared/http/fallback.ts']);
    expect(JSON.parse(/fallback\(([\s\S]*)\);/.exec(source)?.[1] ?? '')).toEqual({
      '/adminapi/system/a': ['GET'],
      '/api/b': ['GET', 'POST'],
    });
  });
});
