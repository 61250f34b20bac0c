import * as z from 'zod/mini';
import type { Schema } from '#shared/http/route.ts';
import { components } from '#shared/schema/component.ts';
import { receivedFile } from '#shared/schema/received-file.ts';
import { refineSchema } from './refine-schema.ts';
import type { DescribeRule, Json } from './types.ts';

/** `input`: what clients send; `output`: what they get. */
type Side = 'input' | 'output';

/** Writes schemas of the routes as JSON Schema 2020-12; those with a name once, as components. */
export interface SchemaWriter {
  write(schema: Schema, side: Side): Json;
  /** As {@link SchemaWriter.write} for a value that travels as text: in a query, or in a form. */
  writeText(schema: Schema): Json;
  /** The named schemas that were met, by name. */
  components: ReadonlyMap<string, Json>;
}

/**
 * Creates a writer for one document.
 *
 * @param describeRule tells a rule of a field in the document's locale
 */
export function createSchemaWriter(describeRule: DescribeRule): SchemaWriter {
  const found = new Map<string, Json>();

  function keep(id: string, json: Json): void {
    const known = found.get(id);
    if (known && JSON.stringify(known) !== JSON.stringify(json)) {
      throw new Error(`the API reference has two schemas named ${id}: register one by another id`);
    }
    found.set(id, json);
  }

  function write(schema: Schema, side: Side, isLenient = false): Json {
    const written = z.toJSONSchema(schema, {
      io: side,
      metadata: components,
      unrepresentable: ({ zodSchema }) => (isLenient || zodSchema === receivedFile ? 'any' : 'throw'),
      override: ({ zodSchema, jsonSchema }) => refineSchema(zodSchema, jsonSchema, describeRule),
    });
    const { $schema: _dialect, $defs = {}, ...json } = relink(written) as Json & { $defs?: Json };
    for (const [name, definition] of Object.entries($defs)) keep(name, definition as Json);
    return json;
  }

  return {
    components: found,
    write: (schema, side) => write(schema, side),
    writeText(schema) {
      const parsed = write(schema, 'output', true);
      // Numbers and lists come out of text: what comes out tells more than what goes in.
      const isTelling = parsed.type === 'integer' || parsed.type === 'array';
      return isTelling ? parsed : toText(write(schema, 'input'));
    },
  };
}

/** The same with its references into `$defs` turned into ones to components. */
function relink(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(relink);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => {
      if (key !== '$ref' || typeof value !== 'string') return [key, relink(value)];
      return [key, value.replace('#/$defs/', '#/components/schemas/')];
    }),
  );
}

/** What of a schema can be said in text: no null, no number, and one field to type it into. */
function toText({ anyOf, enum: values, ...rest }: Json): Json {
  const options = Array.isArray(anyOf) ? anyOf.map(toText).filter(({ type }) => type !== 'null') : [];
  const words = Array.isArray(values) && [...new Set(values.map(String))];
  const [only, ...others] = options;
  if (only && others.length === 0) return { ...rest, ...only };
  const patterns = options.map(toPattern);
  if (only && patterns.every((pattern) => pattern !== undefined)) {
    // Where nothing may stand, it stands for nothing; a form would be filled with a sample.
    const isEmptyFit = options.some(({ enum: words }) => Array.isArray(words) && words.includes(''));
    return { ...rest, ...(isEmptyFit && { default: '' }), type: 'string', pattern: patterns.join('|') };
  }
  return { ...rest, ...(only && { anyOf: options }), ...(words && { type: 'string', enum: words }) };
}

function toPattern({ enum: words, pattern }: Json): unknown {
  return Array.isArray(words)
    ? `^(?:${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})$`
    : pattern;
}
