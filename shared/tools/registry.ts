import { denyPermission, isPermitted, type Permission, type Rights } from '#shared/auth/permission.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { AiTool } from './ai-tool.ts';
import type { McpTool } from './mcp-tool.ts';

/** The tools and adapters of all enabled modules. */
export interface ToolRegistry {
  /** Sorted by name. */
  tools: readonly McpTool[];
  /** @throws AppError `tool.not_registered` with the name */
  find(name: string): McpTool;
  /** The adapter of a tool; undefined if the assistant cannot call it. */
  adapterOf(name: string): AiTool | undefined;
  /** What a caller of a tool must hold; undefined refuses every caller. */
  permissionOf(name: string): Permission | undefined;
}

/** Whether a caller may run a tool. False for a tool without a permission. */
export function isToolPermitted({ permissionOf }: ToolRegistry, name: string, rights: Rights): boolean {
  const permission = permissionOf(name);
  return permission !== undefined && isPermitted(rights, permission);
}

/** The tools that a caller may run, sorted by name. */
export const listPermitted = (registry: ToolRegistry, rights: Rights): McpTool[] =>
  registry.tools.filter(({ name }) => isToolPermitted(registry, name, rights));

/** @throws AppError `auth.permission_denied` if the caller may not run a tool */
export function assertToolPermitted(registry: ToolRegistry, { name, access }: McpTool, rights: Rights): void {
  if (isToolPermitted(registry, name, rights)) return;
  throw denyPermission(registry.permissionOf(name) ?? { path: `tool/${name}`, kind: access });
}

const shownCharacters = 100;

/** Limits a name that an answer repeats. */
const shorten = (name: string): string =>
  name.length > shownCharacters ? `${name.slice(0, shownCharacters).toWellFormed()}…` : name;

/**
 * @param adapters an adapter without a tool is ignored
 * @param permissions by name of the tool
 */
export function createRegistry(
  tools: readonly McpTool[],
  adapters: readonly AiTool[],
  permissions: Readonly<Record<string, Permission | undefined>>,
): ToolRegistry {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const adapterByName = new Map(adapters.map((adapter) => [adapter.name, adapter]));
  return {
    tools: tools.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    find(name) {
      const tool = byName.get(name);
      if (!tool) throw new AppError('tool.not_registered', { params: { name: shorten(name) } });
      return tool;
    },
    adapterOf: (name) => (byName.has(name) ? adapterByName.get(name) : undefined),
    permissionOf: (name) => (byName.has(name) ? permissions[name] : undefined),
  };
}
