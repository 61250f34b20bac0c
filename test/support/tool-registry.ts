import { findToolPermission } from '#functions/permissions.ts';
import type { AiTool } from '#shared/tools/ai-tool.ts';
import type { McpTool } from '#shared/tools/mcp-tool.ts';
import { createRegistry, type ToolRegistry } from '#shared/tools/registry.ts';

/** A registry with the permissions that the generator gives to tools that name no route. */
export const registryOf = (tools: readonly McpTool[], adapters: readonly AiTool[] = []): ToolRegistry =>
  createRegistry(
    tools,
    adapters,
    Object.fromEntries(tools.map((tool) => [tool.name, findToolPermission(tool, [])])),
  );
