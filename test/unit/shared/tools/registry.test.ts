import { describe, expect, test } from '@jest/globals';
import type { Rights } from '#shared/auth/permission.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { adapt, isAiToolClass } from '#shared/tools/ai-tool.ts';
import { listTools } from '#shared/tools/list-tools.ts';
import { isMcpToolClass, McpTool } from '#shared/tools/mcp-tool.ts';
import { assertToolPermitted, listPermitted } from '#shared/tools/registry.ts';
import { createCaller } from '../../../support/tool-caller.ts';
import { registryOf } from '../../../support/tool-registry.ts';
import { admin, TestAdapter, TestTool } from './fixture.ts';

const named = <T extends object>(tool: T, name: string): T => Object.assign(tool, { name });

describe('a registry', () => {
  const registry = registryOf(
    [named(new TestTool(), 'b.two'), named(new TestTool(), 'a.one')],
    [named(new TestAdapter(), 'b.two'), named(new TestAdapter(), 'c.three')],
  );

  test('lists tools by name, and which of them the assistant can call', async () => {
    expect(await listTools(registry, admin)).toMatchObject([
      { name: 'a.one', description: 'Runs.', access: 'read', chat: false, input_schema: { type: 'object' } },
      { name: 'b.two', chat: true },
    ]);
  });

  test('lists nothing if there are no tools', async () => {
    expect(await listTools(registryOf([], []), admin)).toEqual([]);
  });

  test.each(['c.three', 'constructor', '__proto__', ''])('finds no tool named "%s"', (name) => {
    expect(() => registry.find(name)).toThrow(AppError);
  });
});

describe('the tools that a caller may run', () => {
  const tools = ['a.one', 'b.two', 'c.three'].map((name) => named(new TestTool(), name));
  const namesFor = (rights: Rights) => listPermitted(registryOf(tools), rights).map(({ name }) => name);

  test.each([
    [{ super: true, grants: [] }, ['a.one', 'b.two', 'c.three']],
    [{ super: false, grants: [] }, []],
    [{ super: false, grants: ['tool:read'] }, ['a.one', 'b.two', 'c.three']],
    [{ super: false, grants: ['tool/b.two:write', 'tool/c:read'] }, ['b.two']],
    [{ super: true, grants: [], tokenGrants: ['tool/a.one:read'] }, ['a.one']],
    [{ super: false, grants: ['tool/a.one:read'], tokenGrants: ['tool:write'] }, ['a.one']],
    [{ super: false, grants: ['tool/a.one:read'], tokenGrants: ['tool/b.two:read'] }, []],
  ])('with the rights %j are %j', (rights, names) => {
    expect(namesFor(rights)).toEqual(names);
  });

  test('do not include one without a permission, also for a super administrator', () => {
    const [tool = new TestTool()] = tools;
    const registry = registryOf([tool], [], () => undefined);

    expect(listPermitted(registry, admin)).toEqual([]);
    expect(() => assertToolPermitted(registry.find('a.one'), admin)).toThrow(
      expect.objectContaining({
        code: 'auth.permission_denied',
        errors: [expect.objectContaining({ path: 'tool/a.one:read' })],
      }),
    );
  });
});

describe('a derived adapter', () => {
  class ShopTool extends TestTool {}
  class ShopAdapter extends adapt(ShopTool) {}
  const { request, locale, texts } = createCaller(admin);
  const caller = { admin, channel: 'chat', requestId: '', request, locale, texts } as const;
  const context = { ...caller, needs: {}, signal: new AbortController().signal };

  test("answers the tool's result as JSON", async () => {
    const adapter = new ShopAdapter();
    const tool = new ShopTool();

    expect(adapter).toMatchObject({ name: tool.name, description: tool.description });
    expect(adapter.inputSchema).toBe(tool.inputSchema);
    expect(await adapter.handle({ limit: 3 }, context)).toBe('{"limit":3}');
  });

  test('is distinguished from tools, and both from their base classes', () => {
    expect([isAiToolClass(ShopAdapter), isMcpToolClass(ShopAdapter)]).toEqual([true, false]);
    expect([isAiToolClass(ShopTool), isMcpToolClass(ShopTool)]).toEqual([false, true]);
    expect(isMcpToolClass(McpTool)).toBe(false);
    expect(isMcpToolClass(class Other {})).toBe(false);
    expect(isMcpToolClass(new ShopTool())).toBe(false);
  });

  test('names the path of a value that is not JSON', async () => {
    class BadTool extends TestTool {
      override async handle() {
        return { id: 1n };
      }
    }
    class BadAdapter extends adapt(BadTool) {}

    await expect(new BadAdapter().handle({ limit: 1 }, context)).rejects.toMatchObject({
      code: 'tool.failed',
      errors: [{ path: 'result.id' }],
    });
  });
});
