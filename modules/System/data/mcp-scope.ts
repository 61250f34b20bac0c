import type { McpCaller } from '#shared/http/route.ts';
import type { ToolRegistry } from '#shared/tools/registry.ts';
import { allows } from './mcp-surface.ts';

/**
 * The tool that a request calls and its token may not; undefined where there is none. It is a refusal of the
 * HTTP request, so that a client can ask its user for another token.
 *
 * @param text the body, which may be anything
 */
export function findScopeLack(
  text: string,
  { tools }: ToolRegistry,
  scope: McpCaller['scope'],
): string | undefined {
  const names = listCalls(text);
  return tools.find((tool) => names.includes(tool.name) && !allows(scope, tool))?.name;
}

/** Names of the tools that a JSON-RPC message, or any of a batch, calls. */
function listCalls(text: string): unknown[] {
  try {
    const messages: unknown[] = [JSON.parse(text)].flat();
    return messages.map((message) => Object(Object(message).params).name);
  } catch {
    return []; // No JSON: refused where it is read.
  }
}
