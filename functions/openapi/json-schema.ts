import * as z from 'zod/mini';
import type { Schema } from '#shared/http/route.ts';
import { mediaRegistry } from '#shared/media/convert-media.ts';
import { components } from '#shared/schema/component.ts';
import { receivedFile } from '#shared/schema/received-file.ts';

export type Json = Record<string, unknown>;

/** Describes a rule in the document's locale, by its message key. */
type DescribeRule = (key: string, params?: Record<string, string | number>) => string;

/** `input`: sent by clients; `output`: answered to clients. */
type Side = 'input' | 'output';

/** Writes schemas as JSON Schema 2020-12; named ones become components. */
export interface SchemaWriter {
  write(schema: Schema, side: Side): Json;
  /** As {@link SchemaWriter.write}, for a value that is sent as text in a query or a form. */
  writeText(schema: Schema): Json;
  /** The written named schemas, by name. */
  components: ReadonlyMap<string, Json>;
}

/** Creates a writer for one document. */
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
    const linked = JSON.stringify(written).replaceAll('"#/$defs/', '"#/components/schemas/');
    const {
      $schema: _dialect,
      $defs = {},
      ...json
    }: Json & { $defs?: Record<string, Json> } = JSON.parse(linked);
    for (const [name, definition] of Object.entries($defs)) keep(name, definition);
    return json;
  }

  return {
    components: found,
    write: (schema, side) => write(schema, side),
    writeText(schema) {
      const parsed = write(schema, 'output', true);
      // If the schema parses the text to a number or list, the output describes it better than the input.
      const isParsed = parsed.type === 'integer' || parsed.type === 'array';
      return isParsed ? parsed : toText(write(schema, 'input'));
    },
  };
}

/** A schema for the text form of a value: one string, without null. */
function toText({ anyOf, enum: values, ...rest }: Json): Json {
  const options = Array.isArray(anyOf) ? anyOf.map(toText).filter(({ type }) => type !== 'null') : [];
  const words = Array.isArray(values) && [...new Set(values.map(String))];
  const [only, ...others] = options;
  if (only && others.length === 0) return { ...rest, ...only };
  const patterns = options.map(toPattern);
  if (only && patterns.every((pattern) => pattern !== undefined)) {
    // An allowed empty text is the default: otherwise Swagger UI fills the field with a sample.
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

/** Corrects zod's JSON Schema in place. */
function refineSchema(schema: Schema, json: Json, describeRule: DescribeRule): void {
  if (schema === receivedFile) Object.assign(json, { type: 'string', format: 'binary' });
  else describeRules(schema, json, describeRule);
  // These rules are for the stored form of media, which clients do not see.
  if (mediaRegistry.has(schema)) drop(json, 'minLength', 'maxLength', 'pattern');
  // The pattern repeats the format; `ulid` is not a standard format.
  if (json.format === 'date-time') drop(json, 'pattern');
  if (json.format === 'ulid') drop(json, 'format');
  if (json.minimum === Number.MIN_SAFE_INTEGER) drop(json, 'minimum');
  if (json.maximum === Number.MAX_SAFE_INTEGER) drop(json, 'maximum');
  // Keys are always strings.
  if (JSON.stringify(json.propertyNames) === '{"type":"string"}') drop(json, 'propertyNames');
}

function drop(json: Json, ...keys: string[]): void {
  for (const key of keys) delete json[key];
}

/** Rules whose messages describe the fault, not the expected value. */
const refusals = ['rule.id', 'rule.well_formed', 'rule.duplicate', 'rule.file'];

/** Adds the messages of rules that are functions, which zod cannot describe. */
function describeRules(schema: Schema, json: Json, describeRule: DescribeRule): void {
  // A rule of a whole object is about one field, but does not name it.
  if (json.type === 'object') return;
  const rules = listRules(schema);
  const texts = new Set(rules.map(({ key, params }) => describeRule(key, params)));
  if (texts.size > 0) json.description = [...texts].join('; ');
  for (const { key, params } of rules) {
    if (key !== 'rule.text') continue;
    if (params.min !== 0) json.minLength = params.min;
    json.maxLength = params.max;
  }
}

interface Rule {
  key: string;
  params: Record<string, string | number>;
}

/** The rules with our own messages, of a schema and its checks. */
function listRules(schema: Schema): Rule[] {
  // zod's own union of all its schemas, which it documents for walking them.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const checks = (def.checks ?? []).map((check) => check._zod.def);
  return [def, ...checks].flatMap((each) => {
    const { error, params = {} } = each as {
      error?: (issue: object) => unknown;
      params?: Rule['params'];
    };
    const key = error?.({});
    return typeof key === 'string' && key.startsWith('rule.') && !refusals.includes(key)
      ? [{ key, params }]
      : [];
  });
}
