import { settleAll } from '#shared/async/settle-all.ts';
import { denyPermission, isPermitted, type Permission, type Rights } from '#shared/auth/permission.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { AiTool } from './ai-tool.ts';
import type { McpTool, ToolAccess, ToolDescription } from './mcp-tool.ts';
import { createNameReader } from './tool-name.ts';

/** Loads the default export of a file on first use. */
type Load<T> = () => Promise<{ default: T }>;
/** An instance, or the file of its class. */
type Source<T> = T | Load<new () => T>;

/** What is known of a tool without loading it. The generator writes it into entries. */
export interface ToolEntry {
  name: string;
  access: ToolAccess;
  /** What a caller must hold; without it, every caller is refused. */
  permission?: Permission | undefined;
  /** Whether the audit log records its calls. @default whether it writes */
  isRecorded?: boolean;
  /** The record that its arguments name, for the audit log: `article:{id}`. */
  target?: string | undefined;
  /** See `McpTool`. */
  confirm?: boolean | undefined;
  /** An instance only if it prefetches: a file that loads at the start costs every cold start. */
  tool: Source<McpTool>;
  /** Without it, the assistant cannot call the tool. */
  adapter?: Source<AiTool> | undefined;
  /** Values that its route asks for, by name. */
  needs?: Readonly<Record<string, Load<unknown>>>;
}

export interface RegisteredTool
  extends Pick<ToolEntry, 'name' | 'access' | 'permission' | 'target' | 'confirm'> {
  isRecorded: boolean;
  load(): Promise<McpTool>;
  loadAdapter: (() => Promise<AiTool>) | undefined;
  loadNeeds(): Promise<Record<string, unknown>>;
  /** See `McpTool`. */
  prefetch: (() => Promise<unknown>) | undefined;
}

/** The tools of all enabled modules. */
export interface ToolRegistry {
  /** Sorted by name. */
  tools: readonly RegisteredTool[];
  /** @throws AppError `tool.not_registered` with the name */
  find(name: string): RegisteredTool;
  /** The name of the tool that an MCP client means by any spelling of it; undefined if it means none. */
  readName(spelling: string): string | undefined;
  /** By name of the tool. */
  loadDescriptions(): Promise<Readonly<Record<string, ToolDescription>>>;
}

/** Whether a caller may run a tool. False for a tool without a permission. */
export const isToolPermitted = ({ permission }: RegisteredTool, rights: Rights): boolean =>
  permission !== undefined && isPermitted(rights, permission);

/** The tools that a caller may run, sorted by name. */
export const listPermitted = ({ tools }: ToolRegistry, rights: Rights): RegisteredTool[] =>
  tools.filter((tool) => isToolPermitted(tool, rights));

/** @throws AppError `auth.permission_denied` if the caller may not run a tool */
export function assertToolPermitted(tool: RegisteredTool, rights: Rights): void {
  if (isToolPermitted(tool, rights)) return;
  throw denyPermission(tool.permission ?? { path: `tool/${tool.name}`, kind: tool.access });
}

const shownCharacters = 100;

/** Limits a name that an answer repeats. */
const shorten = (name: string): string =>
  name.length > shownCharacters ? `${name.slice(0, shownCharacters).toWellFormed()}…` : name;

/** @param descriptions of the tools, by name */
export const createRegistry = (
  entries: readonly ToolEntry[],
  descriptions: Load<Readonly<Record<string, ToolDescription>>>,
): ToolRegistry =>
  indexTools(
    entries.map(register).sort((a, b) => (a.name < b.name ? -1 : 1)),
    async () => (await descriptions()).default,
  );

/** A registry of some of its tools; the others do not exist in it. */
export const narrowRegistry = (
  { tools, loadDescriptions }: ToolRegistry,
  isWanted: (name: string) => boolean,
): ToolRegistry =>
  indexTools(
    tools.filter(({ name }) => isWanted(name)),
    loadDescriptions,
  );

function indexTools(
  tools: readonly RegisteredTool[],
  loadDescriptions: ToolRegistry['loadDescriptions'],
): ToolRegistry {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    tools,
    find(name) {
      const tool = byName.get(name);
      if (!tool) throw new AppError('tool.not_registered', { params: { name: shorten(name) } });
      return tool;
    },
    readName: createNameReader(tools.map(({ name }) => name)),
    loadDescriptions,
  };
}

function register({ tool, adapter, needs = {}, isRecorded, ...facts }: ToolEntry): RegisteredTool {
  return {
    ...facts,
    isRecorded: isRecorded ?? facts.access === 'write',
    load: createLoader(tool),
    loadAdapter: adapter && createLoader(adapter),
    async loadNeeds() {
      const values = Object.entries(needs).map(async ([name, load]) => [name, (await load()).default]);
      return Object.fromEntries(await settleAll(values));
    },
    prefetch: typeof tool === 'function' ? undefined : tool.prefetch?.bind(tool),
  };
}

function createLoader<T extends object>(source: Source<T>): () => Promise<T> {
  if (typeof source !== 'function') return async () => source;
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= source().then(({ default: Tool }) => new Tool());
    return loading;
  };
}
