import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type AiTool, isAiToolClass } from '#shared/tools/ai-tool.ts';
import { isMcpToolClass, type McpTool } from '#shared/tools/mcp-tool.ts';
import { checkTarget, isStrictObject } from '../checks/check-route.ts';
import type { FoundAdapter, FoundModule, FoundTool } from '../model.ts';
import {
  attempt,
  findFaults,
  importAll,
  listFaults,
  listFiles,
  reasonOf,
  report,
  type Scope,
} from '../scope.ts';
import { writeInput } from './describe-tools.ts';

const mcpTools = { folder: 'Mcp/Tools', isOwn: isMcpToolClass };
const aiTools = { folder: 'Ai/Tools', isOwn: isAiToolClass };

/** The tools of a module (specification, "Tool discovery rules"). */
export const readTools = (scope: Scope, found: FoundModule): Promise<FoundTool[]> =>
  readFolder(scope, found, mcpTools, checkTool, (tool) => ({ tool }));

/** The adapters of a module. */
export const readAdapters = (scope: Scope, found: FoundModule): Promise<FoundAdapter[]> =>
  readFolder(scope, found, aiTools, checkMembers, (adapter) => ({ adapter }));

/** An instance of each class in a folder; a file without a tool class is skipped (rule 3). */
async function readFolder<T extends object, Found>(
  scope: Scope,
  { home, prefix }: FoundModule,
  { folder, isOwn }: { folder: string; isOwn(value: unknown): value is new () => T },
  check: (instance: T, prefix: string) => string[],
  wrap: (instance: T) => Found,
): Promise<(Found & { file: string })[]> {
  const found: (Found & { file: string })[] = [];
  for (const relative of listFiles(join(scope.root, home), folder)) {
    const file = `${home}/${relative}`;
    const exported = (await importAll<Record<string, unknown>>(scope, file)) ?? {};
    const faults = checkLocation(exported, relative, folder);
    report(scope, file, faults);
    const { default: Tool } = exported;
    if (faults.length > 0 || !isOwn(Tool)) continue;
    const instance = await attempt(scope, `${file} cannot be created`, () => new Tool());
    if (!instance) continue;
    report(
      scope,
      file,
      findFaults(() => check(instance, prefix)),
    );
    found.push({ ...wrap(instance), file });
  }
  return found;
}

/** Rule 4: a class is named as its file, and lies in the folder of its kind. */
function checkLocation(exported: Record<string, unknown>, relative: string, folder: string): string[] {
  const { default: main, ...named } = exported;
  const isStray = (value: unknown) => isToolClass(value) && value !== main;
  const strays = listFaults({
    'exports a tool class by name: give it a file, exported as default': Object.values(named).some(isStray),
  });
  if (!isToolClass(main)) return strays;
  const home = mcpTools.isOwn(main) ? mcpTools.folder : aiTools.folder;
  const className = basename(relative, '.ts');
  const isBelow = home === folder && relative !== `${folder}/${className}.ts`;
  const faults = listFaults({
    [`its class is named "${main.name}": name it ${className}`]: main.name !== className,
    [`its class belongs in ${home}: move it`]: home !== folder,
    [`lies in a folder below ${folder}: move it up`]: isBelow,
  });
  return [...strays, ...faults];
}

const isToolClass = (value: unknown) => mcpTools.isOwn(value) || aiTools.isOwn(value);

/** @param prefix route prefix of its module */
function checkTool(tool: McpTool, prefix: string): string[] {
  const { description, access, authorize, confirm } = tool;
  return [
    ...checkMembers(tool, prefix),
    ...checkTarget({ target: tool.target, body: tool.inputSchema }),
    ...listFaults({
      'has no description: say what it does, for the model that chooses it':
        typeof description !== 'string' || description.trim() === '',
      'its access is neither read nor write': access !== 'read' && access !== 'write',
      "writes without authorize: check there who may call it, or say access = 'read'":
        access === 'write' && typeof authorize !== 'function',
      'asks for a confirmation and only reads: remove confirm': confirm === true && access === 'read',
    }),
  ];
}

/** Problems of a tool or an adapter. */
function checkMembers(tool: McpTool | AiTool, prefix: string): string[] {
  const { name, inputSchema, handle } = tool;
  // `checkRouteTools` checks the input of a route.
  const faults = 'route' in tool && tool.route ? [] : checkSchema(inputSchema);
  const isHandled = typeof handle === 'function';
  return [...checkName(name, prefix), ...faults, ...(isHandled ? [] : ['has no handle'])];
}

/** Hosts allow 64 characters, and `.` is sent as `__`. */
const nameLimit = 63;

/** Problems of a tool's name. @param prefix route prefix of its module */
export function checkName(name: string, prefix: string): string[] {
  if (typeof name !== 'string' || !/^[a-z][a-z0-9-]*\.[a-z][a-z0-9_]*$/.test(name)) {
    return [`its name "${name}" is not a tool name: write ${prefix}.ability, in lowercase`];
  }
  const isForeign = !name.startsWith(`${prefix}.`);
  return listFaults({
    [`its name "${name}" has __, which stands for the dot: use one _`]: name.includes('__'),
    [`its name has ${name.length} characters of at most ${nameLimit}`]: name.length > nameLimit,
    [`its name "${name}" begins with another module: begin it with ${prefix}.`]: isForeign,
  });
}

/** Problems of the schema of arguments. */
export function checkSchema(schema: McpTool['inputSchema']): string[] {
  if (!isStrictObject(schema)) return ['its inputSchema is not a z.strictObject: use one'];
  try {
    writeInput(schema);
    return [];
  } catch (error) {
    return [`its inputSchema cannot be written as JSON Schema: ${reasonOf(error)}`];
  }
}

/** Warnings about an adapter that differs from its tool (specification, "Tool discovery rules", rule 2). */
export function compareWithTool({ adapter, file }: FoundAdapter, tools: readonly FoundTool[]): string[] {
  const { tool } = tools.find(({ tool: each }) => each.name === adapter.name) ?? {};
  if (!tool) return [`${file}: there is no MCP tool ${adapter.name}: the assistant cannot call it`];
  const toSchema = (each: AiTool | McpTool) => writeInput(each.inputSchema);
  const differences = listFaults({
    description: adapter.description !== tool.description,
    inputSchema: !isDeepStrictEqual(toSchema(adapter), toSchema(tool)),
  });
  if (differences.length === 0) return [];
  return [`${file}: its ${differences.join(' and ')} differs from that of its MCP tool ${tool.name}`];
}
