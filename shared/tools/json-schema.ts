import * as z from 'zod/mini';
import type { ToolSchema } from './mcp-tool.ts';

/** A schema in JSON Schema, draft 2020-12. */
export type JsonSchema = Record<string, unknown>;

const made = new WeakMap<ToolSchema, JsonSchema>();

/**
 * Arguments of a tool as assistants are told of them, with the descriptions that the schema carries:
 * `z.string().check(z.describe('…'))`. Without `$schema`, which some providers refuse; draft 2020-12 is what
 * MCP takes a schema without one for.
 *
 * @throws Error for a schema that JSON Schema has no word for, such as one of dates; discovery refuses those
 */
export function toInputSchema(schema: ToolSchema): JsonSchema {
  const known = made.get(schema);
  if (known) return known;
  const { $schema: _draft, ...jsonSchema } = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' });
  made.set(schema, jsonSchema);
  return jsonSchema;
}
