import type { McpPrincipal } from '#shared/auth/authenticate-mcp.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { describeError } from '#shared/i18n/describe-error.ts';
import type { Translate } from '#shared/i18n/messages.ts';
import { invokeTool } from '#shared/tools/invoke.ts';
import { toInputSchema } from '#shared/tools/json-schema.ts';
import { type McpSurface, type McpToolResult, McpToolUnknownError } from '#shared/tools/mcp-service.ts';
import type { McpTool } from '#shared/tools/mcp-tool.ts';
import type { ToolRegistry } from '#shared/tools/registry.ts';
import type { ToolCaller } from '#shared/tools/tool-call.ts';
import { allows, refuseScope } from './mcp-scope.ts';

/** One request of an MCP client. */
export interface McpCall extends ToolCaller {
  scope: McpPrincipal['scope'];
  tools: ToolRegistry;
}

/** What the service is called, to MCP clients. */
const server = { name: 'administration-backend', title: 'Administration backend', version: '1.0.0' };

/** What an MCP client sees and does, by its scope, on the way that every call of a tool takes. */
export function createSurface(call: McpCall): McpSurface & { refusal(): AppError | undefined } {
  const { tools: registry, scope } = call;
  let refusal: AppError | undefined;
  return {
    server,
    tools: () => registry.tools.filter((tool) => allows(scope, tool)).map(describeTool),
    call: async (name, args) => {
      const tool = registry.tools.find((found) => found.name === name);
      if (!tool || allows(scope, tool)) return run(call, name, args);
      refusal = refuseScope();
      throw refusal;
    },
    // What a call was refused with for its scope; it stands above whatever was made of it.
    refusal: () => refusal,
  };
}

function describeTool({ name, description, inputSchema, access }: McpTool) {
  return {
    name,
    description,
    inputSchema: { ...toInputSchema(inputSchema), type: 'object' as const },
    annotations: { readOnlyHint: access === 'read' },
  };
}

async function run(call: McpCall, name: string, args: unknown): Promise<McpToolResult> {
  const options = { ...call, door: 'mcp', root: 'arguments' } as const;
  try {
    const { result, text } = await invokeTool(call.tools, { name, arguments: args }, options);
    const isObject = typeof result === 'object' && result !== null && !Array.isArray(result);
    return {
      // A text is said as it is, all else as JSON.
      content: [{ type: 'text', text: typeof result === 'string' ? result : text }],
      ...(isObject && { structuredContent: { ...result } }),
    };
  } catch (error) {
    return explain(error, call.t);
  }
}

/**
 * A tool that fails is a result that the model reads and may act upon, wrong arguments too (MCP 2025-11-25,
 * "Tools", error handling); only a name that stands for nothing is an error of the protocol.
 */
function explain(error: unknown, t: Translate): McpToolResult {
  if (!(error instanceof AppError)) throw error;
  const { code, message, errors = [] } = describeError(error, t);
  if (code === 'tool.not_registered') throw new McpToolUnknownError(message);
  const lines = [`${code}: ${message}`, ...errors.map((issue) => `${issue.path}: ${issue.message}`)];
  return { content: [{ type: 'text', text: lines.join('\n') }], isError: true };
}
