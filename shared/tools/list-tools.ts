import * as z from 'zod/mini';
import type { Rights } from '#shared/auth/permission.ts';
import type { ToolSchema } from './mcp-tool.ts';
import { listPermitted, type ToolRegistry } from './registry.ts';

/** JSON Schema, draft 2020-12. */
type JsonSchema = Record<string, unknown>;

/** The tools that a caller may run, sorted by name. `chat`: whether the assistant can call it. */
export function listTools(registry: ToolRegistry, rights: Rights) {
  return listPermitted(registry, rights).map(({ name, description, inputSchema, access }) => ({
    name,
    description,
    input_schema: toInputSchema(inputSchema),
    access,
    chat: registry.adapterOf(name) !== undefined,
  }));
}

const inputSchemas = new WeakMap<ToolSchema, JsonSchema>();

/**
 * Schema of a tool's arguments, with the descriptions that `z.describe('…')` sets. It has no `$schema`, which
 * some providers refuse; MCP reads such a schema as draft 2020-12.
 *
 * @throws Error if JSON Schema cannot express the schema (dates, for example); discovery refuses such a tool
 */
export function toInputSchema(schema: ToolSchema): JsonSchema {
  const known = inputSchemas.get(schema);
  if (known) return known;
  const { $schema: _draft, ...jsonSchema } = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' });
  inputSchemas.set(schema, jsonSchema);
  return jsonSchema;
}
