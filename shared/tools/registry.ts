import { AppError } from '#shared/errors/app-error.ts';
import type { AiTool } from './ai-tool.ts';
import type { McpTool } from './mcp-tool.ts';

/** The tools of all enabled modules, as the generator lists them. */
export interface ToolRegistry {
  /** In the order of their names. */
  tools: readonly McpTool[];
  /** The tool of a name. @throws AppError `tool.not_registered` telling the name */
  find(name: string): McpTool;
  /** What makes a tool callable by the assistant; undefined for one that is not. */
  adapterOf(name: string): AiTool | undefined;
}

const shownCharacters = 100;

/** A name as answers repeat it. */
const shorten = (name: string): string =>
  name.length > shownCharacters ? `${name.slice(0, shownCharacters).toWellFormed()}…` : name;

/** @param adapters those without a tool count as none */
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
