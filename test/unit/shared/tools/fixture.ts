import * as z from 'zod/mini';
import { AiTool } from '#shared/tools/ai-tool.ts';
import { type InvokeOptions, invokeTool, type ToolCall } from '#shared/tools/invoke.ts';
import { McpTool, type ToolAccess, type ToolContext } from '#shared/tools/mcp-tool.ts';
import type { ToolRegistry } from '#shared/tools/registry.ts';
import { createAdmin, createCaller } from '../../../support/tool-caller.ts';
import { registryOf } from '../../../support/tool-registry.ts';

export const admin = createAdmin('admin-1');

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

export const createOptions = (rest: Partial<InvokeOptions> = {}): InvokeOptions => ({
  ...createCaller(admin),
  channel: 'call',
  root: 'body.arguments',
  ...rest,
});

/** Calls a tool, or one of a registry. */
export function invoke(
  tool: McpTool | ToolRegistry,
  call: Partial<ToolCall> = {},
  options: Partial<InvokeOptions> = {},
) {
  const registry = 'tools' in tool ? tool : registryOf([tool], []);
  return invokeTool(registry, { name: 'test.run', ...call }, createOptions(options));
}
