import { isDeepStrictEqual } from 'node:util';
import type { AiTool } from '#shared/tools/ai-tool.ts';
import { toInputSchema } from '#shared/tools/list-tools.ts';
import type { McpTool } from '#shared/tools/mcp-tool.ts';
import { isStrictObject } from './check-route.ts';
import type { FoundAdapter, FoundTool } from './model.ts';
import { reasonOf } from './scope.ts';

/** Providers allow 64 characters, and `.` is sent as `__`. */
const nameLimit = 63;

/** Problems of one tool. @param prefix route prefix of its module */
export function checkTool(tool: McpTool, prefix: string): string[] {
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
export function checkAdapter({ name, inputSchema, handle }: AiTool, prefix: string): string[] {
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
