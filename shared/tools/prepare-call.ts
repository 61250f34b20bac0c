import { AppError } from '#shared/errors/app-error.ts';
import { validate } from '#shared/i18n/validate.ts';
import { limitText, refuseResult, toJsonText } from './json-text.ts';
import type { McpTool, ToolContext, ToolSchema } from './mcp-tool.ts';
import type { ToolRegistry } from './registry.ts';
import type { InvokeOptions, ToolCall } from './tool-call.ts';

/** A call that may be run: the tool is there and the arguments fit. */
export interface PreparedCall {
  /** Asks a tool that writes for its permission. @throws AppError */
  authorize(context: ToolContext): Promise<void>;
  /** @returns what the tool answers: JSON, or from the assistant's door what its adapter says */
  handle(context: ToolContext): Promise<string>;
}

/**
 * Finds a tool and validates its arguments. The assistant's door leads to the tool's adapter; the tool's own
 * schema holds there too, so that an adapter which differs can only be stricter.
 *
 * @throws AppError `tool.not_registered`, `tool.arguments_invalid`
 */
export function prepareCall(registry: ToolRegistry, call: ToolCall, options: InvokeOptions): PreparedCall {
  const { name, arguments: given = {} } = call;
  const tool = registry.find(name);
  const args = parseArguments(tool.inputSchema, given, options);
  const authorize = async (context: ToolContext) => {
    if (tool.access !== 'read') await requireAuthorize(tool)(context, args);
  };
  if (options.door !== 'chat') {
    return { authorize, handle: async (context) => toJsonText(name, await tool.handle(args, context)) };
  }
  const adapter = registry.adapterOf(name);
  if (!adapter) throw new AppError('tool.not_registered', { params: { name } });
  const adapted = parseArguments(adapter.inputSchema, given, options);
  return { authorize, handle: async (context) => toSaid(name, await adapter.handle(adapted, context)) };
}

function parseArguments(schema: ToolSchema, given: unknown, options: InvokeOptions): Record<string, unknown> {
  const { value, issues } = validate(schema, given, options);
  if (issues.length > 0) throw new AppError('tool.arguments_invalid', { errors: issues });
  return Object(value);
}

/** Discovery lets no such tool pass without; a registry that was made otherwise may hold one. */
function requireAuthorize(tool: McpTool) {
  if (!tool.authorize) throw new Error(`${tool.name} writes and has no authorize`);
  return tool.authorize.bind(tool);
}

function toSaid(name: string, said: unknown): string {
  if (typeof said === 'string') return limitText(name, said);
  throw refuseResult(name, 'result', 'rule.tool_no_text', { found: typeof said });
}
