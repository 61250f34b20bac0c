import { describeTools } from '#functions/discover/describe-tools.ts';
import { findToolPermission } from '#functions/discover/permissions.ts';
import type { Permission } from '#shared/auth/permission.ts';
import type { AiTool } from '#shared/tools/ai-tool.ts';
import type { McpTool } from '#shared/tools/mcp-tool.ts';
import { createRegistry, type ToolRegistry } from '#shared/tools/registry.ts';

/**
 * A registry of instances.
 *
 * @param permissionOf by default the permissions that the generator gives to tools that name no route
 */
export const registryOf = (
  tools: readonly McpTool[],
  adapters: readonly AiTool[] = [],
  permissionOf = (tool: McpTool): Permission | undefined => findToolPermission(tool, []),
): ToolRegistry =>
  createRegistry(
    tools.map((tool) => {
      const { name, access, confirm, target } = tool;
      const adapter = adapters.find((each) => each.name === name);
      return { name, access, confirm, target, permission: permissionOf(tool), tool, adapter };
    }),
    async () => ({
      default: describeTools({
        modules: [],
        tools: tools.map((tool) => ({ tool, file: '' })),
        adapters: adapters.map((adapter) => ({ adapter, file: '' })),
      }),
    }),
  );
