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
}

const shownCharacters = 100;

/** Limits a name that an answer repeats. */
const shorten = (name: string): string =>
  name.length > shownCharacters ? `${name.slice(0, shownCharacters).toWellFormed()}…` : name;

/** @param adapters an adapter without a tool is ignored */
export function createRegistry(tools: readonly McpTool[], adapters: readonly AiTool[]): ToolRegistry {
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
  };
}
