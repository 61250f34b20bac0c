import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { renderEntry, type Supply } from '#functions/bundle/entry.ts';
import { admin, api, type Route, web } from '#shared/http/route.ts';
import { adapt } from '#shared/tools/ai-tool.ts';
import { McpTool } from '#shared/tools/mcp-tool.ts';
import { createSupply, foundModule, foundRoute } from '../fixtures.ts';

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
const render = (route: Route, supply: Partial<Supply> = {}) =>
  renderEntry(foundRoute({ route }), { ...createSupply(), ...supply });

const summary = { zh_CN: '甲', en: 'A' };
const options = { summary, data: z.null(), handler: async () => null };
const body = z.strictObject({});

describe('renderEntry', () => {
  test('imports the chain, the gates and exactly one route', () => {
    const source = render(admin.get(options));

    expect(importsOf(source)).toEqual([
      '#shared/http/endpoint.ts',
      '#shared/http/gates/admin-auth.ts',
      '#shared/http/audit-step.ts',
      '#modules/System/Admin/a.ts',
    ]);
    expect(source).toContain("export const handler = endpoint(route, { name: 'system-admin-a', gates: [");
  });

  test.each([
    ['admin.get', admin.get(options), 'adminAuth({"path":"system/a","kind":"read"})'],
    ['admin.openGet', admin.openGet(options), ''],
    ['api.get', api.get(options), 'apiSite, apiAuth'],
    ['api.openGet', api.openGet(options), 'apiSite'],
    ['web.get', web.get(options), ''],
  ])('puts before a route of %s the gates of its area', (_name, route, gates) => {
    const source = render(route);

    expect(gatesOf(source)).toBe(gates);
    expect(importsOf(source).filter((file) => file?.includes('/gates/'))).toHaveLength(
      gates.split(', ').filter(Boolean).length,
    );
  });

  test.each([
    ['admin.post', admin.post(options), "recordRequests('system/a')"],
    ['admin.get', admin.get(options), "recordRefusals('system/a')"],
    ['admin.get that asks for it', admin.get({ ...options, audit: 'read' }), "recordRequests('system/a')"],
    ['admin.post of tools', admin.post({ ...options, audit: 'tools' }), "recordRefusals('system/a')"],
    ['admin.openPost', admin.openPost(options), undefined],
    [
      'admin.openPost that is a login',
      admin.openPost({ ...options, audit: 'login' }),
      "recordRequests('system/a')",
    ],
    ['api.post', api.post(options), undefined],
    ['web.post of tools', web.post({ ...options, audit: 'tools' }), undefined],
  ])('records of %s what the audit log keeps', (_name, route, audit) => {
    expect(/audit: (\S+) /.exec(render(route))?.[1]).toBe(audit);
  });

  test.each([
    ['id', undefined, "recordRequests('system/a/b', 'thing:{id}')"],
    ['ids', undefined, "recordRequests('system/a/b', 'thing:{ids}')"],
    ['code', undefined, "recordRequests('system/a/b')"],
    ['code', 'part:{code}', "recordRequests('system/a/b', 'part:{code}')"],
  ])('passes the record that a body with %s and the target %s names', (name, target, audit) => {
    const [system] = createSupply().modules;
    const adminFolders = { a: { ...summary, records: 'thing' } };
    const found = foundRoute({
      route: admin.post({
        ...options,
        body: z.strictObject({ [name]: z.string() }),
        ...(target && { target }),
      }),
      path: '/adminapi/system/a/b',
    });
    const owner = system ?? foundModule('System');
    const modules = [{ ...owner, manifest: { ...owner.manifest, adminFolders } }];
    const source = renderEntry(found, { ...createSupply(), modules });

    expect(/audit: (\S+\(.*?\)) /.exec(source)?.[1]).toBe(audit);
  });

  test.each([
    [{ right: 'login' }, '"login"'],
    [{ right: 'read' }, '{"path":"system/a","kind":"read"}'],
    [{ sensitive: true }, '{"path":"system/a","kind":"write","sensitive":true}'],
    [{ formerly: ['system/b'] }, '{"path":"system/a","kind":"write","formerly":["system/b"]}'],
    [{ right: 'handler' }, '{"path":"system/a","kind":"write"}, false'],
  ] as const)('gives the login of an administrator the permission of a route with %j', (rest, settings) => {
    const source = render(admin.post({ ...options, body, ...rest }));

    expect(gatesOf(source)).toMatch(/^throttle\('admin-change'/);
    expect(gatesOf(source)?.endsWith(` adminAuth(${settings})`)).toBe(true);
  });

  test('limits changes by administrators, unless the route has a throttle', () => {
    const throttled = render(admin.post({ ...options, body, middleware: ['throttle:public'] }));

    expect(gatesOf(throttled)).toMatch(/^throttle\('public', throttles0\['public'\]\), adminAuth/);
    expect(gatesOf(render(admin.get(options)))).toMatch(/^adminAuth/);
  });

  test('gives the login the permissions of the other routes that a route asks for', () => {
    const other = foundRoute({ route: admin.get(options), path: '/adminapi/system/b' });

    const source = render(admin.get({ ...options, asksFor: ['b'] }), { routes: [other] });

    const own = '{"path":"system/a","kind":"read"}';
    expect(gatesOf(source)).toBe(`adminAuth(${own}, true, {"b":{"path":"system/b","kind":"read"}})`);
  });

  test('puts the site before throttles, and both before the login', () => {
    const middleware = ['api.try-auth', 'throttle:sms', 'throttle:public'] as const;

    const source = render(api.openPost({ ...options, body, middleware }));

    expect(gatesOf(source)).toBe(
      "apiSite, throttle('sms', throttles0['sms']), throttle('public', throttles1['public']), apiTryAuth",
    );
  });

  test('puts the gate of MCP after throttles, for routes of any area', () => {
    for (const build of [admin.openPost, web.post]) {
      const source = render(build({ ...options, body, middleware: ['mcp.auth', 'throttle:ai'] }));

      expect(gatesOf(source)).toBe("throttle('ai', throttles0['ai']), mcpAuth");
      expect(importsOf(source)).toContain('#shared/http/gates/mcp-auth.ts');
    }
  });

  test('imports every used gate once', () => {
    const source = render(api.post({ ...options, body, middleware: ['throttle:sms', 'throttle:public'] }));

    for (const name of ['apiSite', 'throttle', 'apiAuth']) {
      expect(source.split(`import ${name} from`)).toHaveLength(2);
    }
  });

  test('passes the limit of the body, and whether a throttle counts by the body', () => {
    const open = render(admin.openPost({ ...options, body }));
    const counted = render(admin.openPost({ ...options, body, middleware: ['throttle:sms'] }));

    expect(open).toContain('bodyLimitBytes: 65536 }');
    expect(counted).toContain('bodyLimitBytes: 16384, isCountedByBody: true }');
    expect(render(admin.get(options))).not.toContain('body');
  });

  test('gives the contributions of the modules that have some to a route that needs them', () => {
    const contributions = { file: 'modules/Shop/contributions.ts', declared: {} };
    const modules = [foundModule('System'), foundModule('Shop', { contributions })];
    const supply = { ...createSupply(), modules };

    const source = render(admin.get({ ...options, needs: ['contributions'] }), supply);

    expect(source).toContain("import ofShop from '#modules/Shop/contributions.ts';");
    expect(source).toContain('needs: { contributions: joinContributions([ofShop]) }');
    expect(source).not.toContain('ofSystem');
  });

  test('gives the manifests of all modules only to a route that needs them', () => {
    const supply = createSupply('System', 'Shop');

    expect(render(admin.get({ ...options, needs: ['modules'] }), supply)).toContain(
      'needs: { modules: [System, Shop] }',
    );
    expect(render(admin.get(options), supply)).not.toContain('Shop');
  });
});

describe('renderEntry gives messages', () => {
  const texts = { zh_CN: { a: '甲' }, en: { a: 'A' } };
  const create = (name: string, requires: string[] = []) =>
    foundModule(name, {
      manifest: { name, title: summary, version: '1.0.0', requires },
      messages: name === 'Mute' ? { zh_CN: {}, en: {} } : texts,
    });
  const modules = [
    create('System'),
    create('Shop', ['System']),
    create('Blog', ['Shop', 'Mute']),
    create('Mute'),
  ];
  const messagesOf = (route: Route, module: string) => {
    const source = renderEntry(foundRoute({ module, route }), { ...createSupply(), modules });
    return [...source.matchAll(/en: \(\) => import\('#modules\/(\w+)\/lang\/en\.json'/g)].map(
      ([, name]) => name,
    );
  };

  test('of its own module, and of direct and indirect requirements', () => {
    expect(messagesOf(admin.get(options), 'System')).toEqual(['System']);
    expect(messagesOf(admin.get(options), 'Blog')).toEqual(['System', 'Shop', 'Blog']);
  });

  test('of all modules to a route that needs parts of all', () => {
    for (const need of ['tools', 'modules'] as const) {
      expect(messagesOf(admin.get({ ...options, needs: [need] }), 'System')).toEqual([
        'System',
        'Shop',
        'Blog',
      ]);
    }
  });
});

describe('renderEntry of a route that needs the documents', () => {
  test('loads each on first use', () => {
    const source = render(web.get({ ...options, needs: ['documents'] }));

    for (const locale of ['zh_CN', 'en']) {
      expect(source).toContain(
        `${locale}: () => import('../openapi/${locale}.json', { with: { type: 'json' } })`,
      );
    }
    expect(importsOf(source)).toEqual(['#shared/http/endpoint.ts', '#modules/System/Admin/a.ts']);
  });
});

describe('renderEntry of a route that needs tools', () => {
  const asking = admin.openPost({ ...options, body, needs: ['tools'] });
  const found = {
    tools: [{ file: 'modules/Shop/Mcp/Tools/CountTool.ts', tool: new CountTool() }],
    adapters: [{ file: 'modules/Shop/Ai/Tools/CountTool.ts', adapter: new CountAdapter() }],
  };

  test('loads tools and adapters on first use', () => {
    const source = render(asking, found);

    expect(importsOf(source).slice(1)).toEqual(['#shared/tools/registry.ts', '#modules/System/Admin/a.ts']);
    expect(source).toContain(
      `createRegistry([{ name: 'shop.count', access: 'write', permission: {"path":"tool/shop.count","kind":"write"}, tool: () => import('#modules/Shop/Mcp/Tools/CountTool.ts'), adapter: () => import('#modules/Shop/Ai/Tools/CountTool.ts') }], () => import('../tools.json', { with: { type: 'json' } }))`,
    );
  });

  test('loads a tool that prefetches at the start', () => {
    class SettingsTool extends CountTool {
      override async prefetch() {}
    }
    const tools = [{ file: 'modules/Shop/Mcp/Tools/SettingsTool.ts', tool: new SettingsTool() }];
    const source = render(asking, { tools, adapters: [] });

    expect(importsOf(source)).toContain('#modules/Shop/Mcp/Tools/SettingsTool.ts');
    expect(source).toContain('tool: new Tool0() }');
  });

  test('gives it an empty registry without tools', () => {
    const source = render(asking);

    expect(source).toContain('tools: createRegistry([], ');
  });

  test('leaves them out for every other route', () => {
    const source = render(admin.get(options), found);

    expect(source).not.toMatch(/tools/i);
  });
});
