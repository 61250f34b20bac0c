import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import type { Translate } from '#shared/i18n/messages.ts';
import { definitionOf, type Schema, typeOf } from '#shared/schema/definition.ts';
import type { JsonSchema, McpTool, ToolDescription } from '#shared/tools/mcp-tool.ts';
import type { Manifest } from '../model.ts';
import { addHints, refineSchema, splitEnum } from '../openapi/json-schema.ts';
import { createEdition } from '../openapi/texts.ts';
import { createSourceFinder } from './argument-sources.ts';

/** What clients and models read about the tools, by name. */
export function describeTools({
  modules,
  tools,
  adapters,
  routes,
}: Pick<Manifest, 'modules' | 'tools' | 'adapters'> & Partial<Pick<Manifest, 'routes'>>): Record<
  string,
  ToolDescription
> {
  const { t } = createEdition({ modules }, 'en');
  const findSources = createSourceFinder({ tools, routes });
  const described = tools.map(({ tool }): [string, ToolDescription] => {
    const adapter = adapters.find((found) => found.adapter.name === tool.name)?.adapter;
    const { description, input_schema, ...rest } = describeTool(tool, t);
    const own = { description, input_schema };
    const adapted = adapter && {
      description: adapter.description,
      input_schema: writeInput(adapter.inputSchema, t),
    };
    const sources = findSources(tool);
    return [
      tool.name,
      { ...own, ...rest, sources, ...(!isDeepStrictEqual(own, adapted) && { adapter: adapted }) },
    ];
  });
  return Object.fromEntries(described);
}

function describeTool(tool: McpTool, t: Translate): ToolDescription {
  const { title, description, access, inputSchema, outputSchema } = tool;
  return {
    title,
    description,
    input_schema: writeInput(inputSchema, t),
    output_schema: outputSchema && writeOutput(outputSchema, t),
    is_destructive: tool.isDestructive ?? access === 'write',
    is_idempotent: tool.isIdempotent ?? access === 'read',
  };
}

/**
 * Schema of a tool's arguments, with labels and the descriptions that `z.describe('…')` sets.
 *
 * @throws Error if JSON Schema cannot express the schema (dates, for example); discovery refuses such a tool
 */
export const writeInput = (schema: Schema, describeRule: Translate = String): JsonSchema =>
  write(schema, 'input', describeRule);

/** Schema of a tool's result; undefined if it is not an object, or if JSON Schema cannot express it. */
function writeOutput(schema: Schema, describeRule: Translate): JsonSchema | undefined {
  try {
    const written = write(schema, 'output', describeRule);
    return written.type === 'object' ? written : undefined;
  } catch {
    return undefined;
  }
}

function write(schema: Schema, io: 'input' | 'output', describeRule: Translate): JsonSchema {
  const { $schema: _draft, ...json } = z.toJSONSchema(schema, {
    io,
    override: ({ zodSchema, jsonSchema }) => {
      const { description } = jsonSchema;
      // A field that also takes another form (`fromRoute`) is described as what it becomes.
      if (isConverted(zodSchema) && io === 'input')
        replace(jsonSchema, write(zodSchema, 'output', describeRule));
      const fallback = defaultOf(zodSchema);
      if (fallback !== undefined && io === 'input') jsonSchema.default = fallback;
      refineSchema(zodSchema, jsonSchema, describeRule);
      const rules = jsonSchema.description;
      if (description !== undefined && rules !== undefined && rules !== description)
        jsonSchema.description = `${description}; ${rules}`;
      addHints(zodSchema, jsonSchema, 'en');
      nameDictionary(jsonSchema);
      // Some hosts refuse other lists of values.
      splitEnum(jsonSchema);
    },
  });
  return json;
}

/** Models read descriptions, not keywords of our own. */
function nameDictionary(json: JsonSchema): void {
  const { 'x-dictionary': key, description } = json;
  if (key === undefined) return;
  delete json['x-dictionary'];
  json.description = [`Value of the dictionary ${key}`, description ?? []].flat().join('; ');
}

/** The default value of a converted field, which zod leaves out because its schema takes text. */
function defaultOf(schema: Schema): unknown {
  const def = definitionOf(schema);
  return def.type === 'default' && isConverted(def.innerType) ? def.defaultValue : undefined;
}

/** Whether a schema converts its input before it checks it. */
function isConverted(schema: Schema): boolean {
  const def = definitionOf(schema);
  return def.type === 'pipe' && typeOf(def.in) === 'transform';
}

function replace(json: JsonSchema, by: JsonSchema): void {
  for (const key of Object.keys(json)) delete json[key];
  Object.assign(json, by);
}
