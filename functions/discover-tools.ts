import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type AiTool, isAiToolClass } from '#shared/tools/ai-tool.ts';
import { toInputSchema } from '#shared/tools/list-tools.ts';
import { isMcpToolClass, type McpTool } from '#shared/tools/mcp-tool.ts';
import { isStrictObject } from './check-route.ts';
import type { FoundAdapter, FoundModule, FoundTool } from './model.ts';
import { importAll, listFiles, reasonOf, type Scope } from './scope.ts';

/** A folder of a module, and the test for its classes. */
interface Kind<T> {
  folder: string;
  isOwn(value: unknown): value is new () => T;
}

const mcpTools = { folder: 'Mcp/Tools', isOwn: isMcpToolClass };
const aiTools = { folder: 'Ai/Tools', isOwn: isAiToolClass };

/** The tools and adapters of a module (specification, "Tool discovery rules"). */
export async function readTools(
  scope: Scope,
  found: FoundModule,
): Promise<{ tools: FoundTool[]; adapters: FoundAdapter[] }> {
  const tools = await readFolder(scope, found, mcpTools);
  const adapters = await readFolder(scope, found, aiTools);
  const report = (file: string, faults: string[]) =>
    scope.problems.push(...faults.map((fault) => `${file}: ${fault}`));
  for (const { file, instance } of tools) report(file, checkTool(instance, found.prefix));
  for (const { file, instance } of adapters) report(file, checkAdapter(instance, found.prefix));
  return {
    tools: tools.map(({ file, instance }) => ({ file, tool: instance })),
    adapters: adapters.map(({ file, instance }) => ({ file, adapter: instance })),
  };
}

/** An instance of each class in a folder; a file without a tool class is skipped (rule 3). */
async function readFolder<T>(scope: Scope, { manifest }: FoundModule, kind: Kind<T>) {
  const found: { file: string; instance: T }[] = [];
  for (const relative of listFiles(join(scope.root, 'modules', manifest.name), kind.folder)) {
    const file = `modules/${manifest.name}/${relative}`;
    const exported = (await importAll<Record<string, unknown>>(scope, file)) ?? {};
    const faults = checkPlace(exported, relative, kind.folder);
    scope.problems.push(...faults.map((fault) => `${file}: ${fault}`));
    if (faults.length > 0 || !kind.isOwn(exported.default)) continue;
    const instance = create(scope, file, exported.default);
    if (instance) found.push({ file, instance });
  }
  return found;
}

/** Rule 4: a class is named as its file, and lies in the folder of its kind. */
function checkPlace(exported: Record<string, unknown>, relative: string, folder: string): string[] {
  const { default: main, ...named } = exported;
  const strays = Object.values(named).filter((value) => isToolClass(value) && value !== main);
  const faults = strays.map(() => 'exports a tool class by name: give it a file, exported as default');
  if (!isToolClass(main)) return faults;
  const home = mcpTools.isOwn(main) ? mcpTools.folder : aiTools.folder;
  const className = relative.slice(relative.lastIndexOf('/') + 1, -'.ts'.length);
  if (main.name !== className) faults.push(`its class is named "${main.name}": name it ${className}`);
  if (home !== folder) faults.push(`its class belongs in ${home}: move it`);
  else if (relative !== `${folder}/${className}.ts`) {
    faults.push(`lies in a folder below ${folder}: move it up`);
  }
  return faults;
}

const isToolClass = (value: unknown) => mcpTools.isOwn(value) || aiTools.isOwn(value);

function create<T>({ problems }: Scope, file: string, Tool: new () => T): T | undefined {
  try {
    return new Tool();
  } catch (error) {
    problems.push(`${file} cannot be created: ${reasonOf(error)}`);
    return undefined;
  }
}

/** Providers allow 64 characters, and `.` is sent as `__`. */
const nameLimit = 63;

/** Problems of one tool. @param prefix route prefix of its module */
function checkTool(tool: McpTool, prefix: string): string[] {
  const { name, description, access, authorize, handle } = tool;
  const faults = [...checkName(name, prefix), ...checkSchema(tool.inputSchema)];
  if (typeof description !== 'string' || description.trim() === '') {
    faults.push('has no description: say what it does, for the model that chooses it');
  }
  if (access !== 'read' && access !== 'write') faults.push('its access is neither read nor write');
  if (access === 'write' && typeof authorize !== 'function') {
    faults.push("writes without authorize: check there who may call it, or say access = 'read'");
  }
  if (typeof handle !== 'function') faults.push('has no handle');
  return faults;
}

/** Problems of one adapter. */
function checkAdapter({ name, inputSchema, handle }: AiTool, prefix: string): string[] {
  const faults = [...checkName(name, prefix), ...checkSchema(inputSchema)];
  return typeof handle === 'function' ? faults : [...faults, 'has no handle'];
}

function checkName(name: string, prefix: string): string[] {
  if (typeof name !== 'string' || !/^[a-z][a-z0-9-]*\.[a-z][a-z0-9_]*$/.test(name)) {
    return [`its name "${name}" is not a tool name: write ${prefix}.ability, in lowercase`];
  }
  const faults: string[] = [];
  if (name.includes('__')) faults.push(`its name "${name}" has __, which stands for the dot: use one _`);
  if (name.length > nameLimit) faults.push(`its name has ${name.length} characters of at most ${nameLimit}`);
  if (!name.startsWith(`${prefix}.`)) {
    faults.push(`its name "${name}" begins with another module: begin it with ${prefix}.`);
  }
  return faults;
}

function checkSchema(schema: McpTool['inputSchema']): string[] {
  if (!isStrictObject(schema)) return ['its inputSchema is not a z.strictObject: use one'];
  try {
    toInputSchema(schema);
    return [];
  } catch (error) {
    return [`its inputSchema cannot be written as JSON Schema: ${reasonOf(error)}`];
  }
}

/** Warnings about an adapter that differs from its tool (specification, "Tool discovery rules", rule 2). */
export function compareWithTool({ adapter, file }: FoundAdapter, tools: readonly FoundTool[]): string[] {
  const { tool } = tools.find(({ tool: each }) => each.name === adapter.name) ?? {};
  if (!tool) return [`${file}: there is no MCP tool ${adapter.name}: the assistant cannot call it`];
  const differences: string[] = [];
  if (adapter.description !== tool.description) differences.push('description');
  if (!isDeepStrictEqual(toInputSchema(adapter.inputSchema), toInputSchema(tool.inputSchema))) {
    differences.push('inputSchema');
  }
  if (differences.length === 0) return [];
  return [`${file}: its ${differences.join(' and ')} differs from that of its MCP tool ${tool.name}`];
}
