import * as z from 'zod/mini';
import type { AdminCaller } from '#shared/auth/principal.ts';
import { createTranslate } from '#shared/i18n/messages.ts';
import { AiTool } from '#shared/tools/ai-tool.ts';
import { type InvokeOptions, invokeTool, type ToolCall } from '#shared/tools/invoke.ts';
import { McpTool, type ToolAccess, type ToolContext } from '#shared/tools/mcp-tool.ts';
import type { ToolRegistry } from '#shared/tools/registry.ts';
import { registryOf } from '../../../support/tool-registry.ts';

export const admin: AdminCaller = {
  id: 'admin-1',
  account: 'root',
  name: 'Root',
  avatar: '',
  status: 'enabled',
  super: true,
  role_ids: [],
  grants: [],
  last_login_at: null,
  last_login_ip: null,
  created_at: '2030-01-01T00:00:00.000Z',
};

export const input = z.strictObject({ limit: z._default(z.int().check(z.gte(1), z.lte(20)), 5) });
type Args = z.output<typeof input>;
type Handle = (args: Args, context: ToolContext) => unknown;

/** A tool with the `handle` of a test. */
export class TestTool extends McpTool<typeof input> {
  override name = 'test.run';
  override description = 'Runs.';
  override inputSchema = input;
  override access: ToolAccess = 'read';
  readonly #handle: Handle;

  constructor(handle: Handle = (args) => args) {
    super();
    this.#handle = handle;
  }

  override handle(args: Args, context: ToolContext): Promise<unknown> {
    // A tool need not be async.
    return this.#handle(args, context) as Promise<unknown>;
  }
}

/** A tool that writes, with the `authorize` of a test. */
export class WritingTool extends TestTool {
  override access: ToolAccess = 'write';
  override authorize: (context: ToolContext, args: Args) => Promise<void>;

  constructor(authorize: (context: ToolContext, args: Args) => Promise<void>, handle?: Handle) {
    super(handle);
    this.authorize = authorize;
  }
}

/** An adapter with the `handle` of a test. */
export class TestAdapter extends AiTool<typeof input> {
  override name = 'test.run';
  override description = 'Runs.';
  override inputSchema = input;
  readonly #handle: (args: Args) => unknown;

  constructor(handle: (args: Args) => unknown = (args) => JSON.stringify(args)) {
    super();
    this.#handle = handle;
  }

  override handle(args: Args): Promise<string> {
    return this.#handle(args) as Promise<string>;
  }
}

export const createRequest = (remainingMs: () => number) => ({
  id: 'request-1',
  address: '203.0.113.7',
  remainingMs,
});

export function createOptions(rest: Partial<InvokeOptions> = {}): InvokeOptions {
  return {
    channel: 'call',
    admin,
    root: 'body.arguments',
    request: createRequest(() => 29_000),
    locale: 'en',
    t: createTranslate('en'),
    ...rest,
  };
}

/** Calls a tool, or one of a registry. */
export function invoke(
  tool: McpTool | ToolRegistry,
  call: Partial<ToolCall> = {},
  options: Partial<InvokeOptions> = {},
) {
  const registry = 'tools' in tool ? tool : registryOf([tool], []);
  return invokeTool(registry, { name: 'test.run', ...call }, createOptions(options));
}
