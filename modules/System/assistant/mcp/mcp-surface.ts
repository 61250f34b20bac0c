import type { McpPrincipal } from '#shared/auth/authenticate-mcp.ts';
import { createChallenge } from '#shared/auth/challenge.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import {
  type InvokeOptions,
  invokeTool,
  recordRefusal,
  type ToolCall,
  type ToolCaller,
} from '#shared/tools/invoke.ts';
import type { McpDialog, McpSurface, McpToolResult } from '#shared/tools/mcp-service.ts';
import type { ToolDescription } from '#shared/tools/mcp-tool.ts';
import {
  listPermitted,
  narrowRegistry,
  type RegisteredTool,
  type ToolRegistry,
} from '#shared/tools/registry.ts';
import { toPortableName } from '#shared/tools/tool-name.ts';
import { type ArgumentSources, explain } from './mcp-failure.ts';
import { greet, serverName } from './mcp-greeting.ts';
import type { prefetchMcp } from './mcp-prefetch.ts';

interface McpCall extends ToolCaller {
  request: ToolCaller['request'] & { event: { rawPath: string } };
  scope: McpPrincipal['scope'];
  tools: ToolRegistry;
  prefetched: Awaited<ReturnType<typeof prefetchMcp>>;
  /** `tools`: see {@link chooseTools}. */
  query: { tools?: string | undefined };
}

/** The tools that an MCP client can see and call with its rights and scope. */
export function createSurface(call: McpCall): McpSurface {
  const { scope, admin, locale, query, prefetched } = call;
  const registry = query.tools === undefined ? call.tools : chooseTools(call.tools, query.tools);
  const permitted = listPermitted(registry, admin);
  const usable = permitted.filter((tool) => allows(scope, tool));
  const offered = usable.map(({ name }) => name);
  return {
    ...greet(prefetched.siteName, offered, locale),
    tools: async () => {
      const descriptions = await registry.loadDescriptions();
      return usable.flatMap((tool) => {
        const description = descriptions[tool.name];
        return description ? [describeTool(tool, description, locale)] : [];
      });
    },
    call: async (spelling, args, { dialog, traceparent }) => {
      const name = registry.readName(spelling) ?? spelling;
      const options = { ...call, tools: registry, channel: 'mcp', root: 'arguments', traceparent } as const;
      // The call of another tool is refused when it runs: a token with more scope would not help.
      const tool = permitted.find((found) => found.name === name);
      if (!tool || allows(scope, tool)) {
        const asked = tool?.confirm && dialog && (await confirm({ name, arguments: args }, options, dialog));
        return asked || run(options, { name, arguments: args });
      }
      // Refuses the whole HTTP request, so that a client can ask its user for another token.
      const challenge = createChallenge(call.request.event, 'mcp:write', 'insufficient_scope');
      const refusal = new AppError('auth.scope_insufficient', { headers: { 'www-authenticate': challenge } });
      await recordRefusal(registry, { name, arguments: args }, options, refusal);
      throw refusal;
    },
  };
}

/** The tools of a URL's list: `article` means all tools of that module, `system.dict_items` one tool. */
function chooseTools(registry: ToolRegistry, list: string): ToolRegistry {
  const chosen = new Set(list.split(',').map((each) => each.trim()));
  const named = new Set([...chosen].map(registry.readName));
  return narrowRegistry(registry, (name) => named.has(name) || chosen.has(name.slice(0, name.indexOf('.'))));
}

/** Scope `mcp:read` is enough for tools that change nothing. */
const allows = (scope: McpPrincipal['scope'], { access }: RegisteredTool): boolean =>
  scope === 'mcp:write' || access === 'read';

/** Key of a tool's own name, as rights, logs and the debug endpoints have it. */
const nameKey = `${serverName}/name`;

function describeTool({ name, access }: RegisteredTool, of: ToolDescription, locale: Locale) {
  const title = of.title?.[locale] ?? name;
  return {
    name: toPortableName(name),
    title,
    _meta: { [nameKey]: name },
    description: of.description,
    inputSchema: { ...of.input_schema, type: 'object' as const },
    ...(of.output_schema && { outputSchema: { ...of.output_schema, type: 'object' as const } }),
    annotations: {
      title,
      readOnlyHint: access === 'read',
      destructiveHint: of.is_destructive,
      idempotentHint: of.is_idempotent,
      openWorldHint: false,
    },
  };
}

/** Asks the user before a call. Returns undefined if the user has agreed. */
async function confirm(call: ToolCall, options: McpCall & InvokeOptions, dialog: McpDialog) {
  const { tools, texts } = options;
  try {
    // Loaded on first use: it reads the database.
    const { confirmCall } = await import('./confirm-call.ts');
    return await confirmCall(tools, call, options, dialog);
  } catch (error) {
    if (error instanceof AppError) await recordRefusal(tools, call, options, error);
    return explain(error, await texts(), await findSources(options, call.name));
  }
}

async function run(call: McpCall & InvokeOptions, wanted: ToolCall): Promise<McpToolResult> {
  const { tools, texts } = call;
  const { tool } = call.prefetched;
  const prefetched = tool?.name === wanted.name ? tool.result : undefined;
  try {
    const { result, text } = await invokeTool(tools, wanted, { ...call, prefetched });
    const isObject = typeof result === 'object' && result !== null && !Array.isArray(result);
    return {
      // A string is sent without quotes, everything else as JSON.
      content: [{ type: 'text', text: typeof result === 'string' ? result : text }],
      ...(isObject && { structuredContent: { ...result } }),
    };
  } catch (error) {
    return explain(error, await texts(), await findSources(call, wanted.name));
  }
}

/** The tools that list the values of a tool's arguments; only those that the caller may use. */
async function findSources({ tools, admin }: McpCall, name: string): Promise<ArgumentSources> {
  const { sources = {} } = (await tools.loadDescriptions())[name] ?? {};
  const usable = new Set(listPermitted(tools, admin).map((tool) => tool.name));
  return Object.fromEntries(Object.entries(sources).filter(([, { tool }]) => usable.has(tool)));
}
