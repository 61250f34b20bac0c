import { type JsonSchema, toInputSchema } from './json-schema.ts';
import type { ToolAccess } from './mcp-tool.ts';
import type { ToolRegistry } from './registry.ts';

/** A tool as it is listed. */
export interface ToolListing {
  name: string;
  description: string;
  input_schema: JsonSchema;
  access: ToolAccess;
  /** Whether the assistant can call it. */
  chat: boolean;
}

/** All tools, in the order of their names. */
export function listTools({ tools, adapterOf }: ToolRegistry): ToolListing[] {
  return tools.map(({ name, description, inputSchema, access }) => ({
    name,
    description,
    input_schema: toInputSchema(inputSchema),
    access,
    chat: adapterOf(name) !== undefined,
  }));
}
