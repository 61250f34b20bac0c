import { settleAll } from '#shared/async/settle-all.ts';
import type { ToolRegistry } from '#shared/tools/registry.ts';
import { readSiteName } from './mcp-greeting.ts';

interface McpEvent {
  body?: string;
  isBase64Encoded: boolean;
}

/** Longest body that is parsed before the gates, in characters. */
const peekLimit = 16_384;

/** Reads what every answer of MCP needs, and what the called tool needs, in the request that reads the caller. */
export async function prefetchMcp(registry: ToolRegistry, event: McpEvent) {
  const [siteName, tool] = await settleAll([readSiteName(), prefetchTool(registry, event)]);
  return { siteName, tool };
}

/** Runs the `prefetch` of the tool that a request calls. If that fails, the tool reads itself. */
export async function prefetchTool(registry: ToolRegistry, { body, isBase64Encoded }: McpEvent) {
  // Without a body serverless-offline gives null.
  if (!body || isBase64Encoded || body.length > peekLimit) return undefined;
  try {
    const { method, params } = Object(JSON.parse(body));
    const name = method === 'tools/call' ? registry.readName(Object(params).name) : undefined;
    if (name === undefined) return undefined;
    const { prefetch } = registry.find(name);
    return prefetch && { name, result: await prefetch() };
  } catch {
    return undefined;
  }
}
