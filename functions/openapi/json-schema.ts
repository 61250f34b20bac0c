import * as z from 'zod/mini';
import type { Locale } from '#shared/i18n/locale.ts';
import type { Translate } from '#shared/i18n/messages.ts';
import { mediaRegistry } from '#shared/media/convert-media.ts';
import { components } from '#shared/schema/component.ts';
import { rulesOf, type Schema } from '#shared/schema/definition.ts';
import { isReceivedFile } from '#shared/schema/received-file.ts';
import { hints } from '#shared/schema/titled.ts';

export type Json = Record<string, unknown>;

/** A record with the same names and other values. */
export const mapValues = <In, Out>(
  record: Readonly<Record<string, In>>,
  map: (value: In, name: string) => Out,
): Record<string, Out> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));

/** Refers to a component. */
export const refer = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

export type SchemaWriter = ReturnType<typeof createSchemaWriter>;

/**
 * Creates a writer of JSON Schema 2020-12 for one document; named schemas become components.
 *
 * @param describeRule describes a rule in the document's locale, by its message key
 * @param locale of the labels; without it, schemas have none
 */
export function createSchemaWriter(describeRule: Translate, locale?: Locale) {
  const found = new Map<string, Json>();

  /** @param side `input`: sent by clients; `output`: answered to clients */
  function write(schema: Schema, side: 'input' | 'output', isLenient = false): Json {
    const written = z.toJSONSchema(schema, {
      io: side,
      metadata: components,
      unrepresentable: ({ zodSchema }) => (isLenient || isReceivedFile(zodSchema) ? 'any' : 'throw'),
      override: ({ zodSchema, jsonSchema }) => {
        refineSchema(zodSchema, jsonSchema, describeRule);
        // Generators name the values of an enum: `1` and `'1'` get one name, an empty text gets none.
        splitEnum(jsonSchema);
        if (!locale) return;
        addHints(zodSchema, jsonSchema, locale);
        const { alsoAccepts } = hints.get(zodSchema) ?? {};
        if (alsoAccepts && side === 'input') jsonSchema['x-also-accepts'] = alsoAccepts;
      },
    });
    const linked = JSON.stringify(written).replaceAll('"#/$defs/', '"#/components/schemas/');
    const parsed: Json & { $defs?: Record<string, Json> } = JSON.parse(linked);
    const { $schema: _dialect, $defs = {}, ...json } = parsed;
    for (const [id, definition] of Object.entries($defs)) {
      if (found.has(id) && JSON.stringify(found.get(id)) !== JSON.stringify(definition)) {
        throw new Error(`the API reference has two schemas named ${id}: register one by another id`);
      }
      found.set(id, definition);
    }
    return json;
  }

  /** For a value that is sent as text in a query or a form. */
  function writeText(schema: Schema): Json {
    const parsed = write(schema, 'output', true);
    // If the schema parses the text to a number or list, the output describes it better than the input.
    const isParsed = parsed.type === 'integer' || parsed.type === 'array';
    return isParsed ? parsed : toText(write(schema, 'input'));
  }

  return { write, writeText, components: found };
}

const emptyText: Json = { type: 'string', pattern: '^$' };

/** A schema for the text form of a value: one string, without null. A field that is null by default may be empty. */
function toText({ anyOf, enum: values, default: usual, ...own }: Json): Json {
  const rest = usual === null ? own : { ...own, default: usual };
  const listed: Json[] = Array.isArray(anyOf) ? anyOf.map(toText) : [];
  const empty = usual === null ? [emptyText] : [];
  const options: Json[] = listed.flatMap((each) => (each.type === 'null' ? empty : [each]));
  const words = Array.isArray(values) && [...new Set(values.map(String))];
  const [only, ...others] = options;
  if (only && others.length === 0) return { ...rest, ...only };
  const patterns = [...new Set(options.map(toPattern))];
  if (only && patterns.every((pattern) => pattern !== undefined)) {
    // An allowed empty text is the default: otherwise Swagger UI fills the field with a sample.
    return { ...rest, ...(usual === null && { default: '' }), type: 'string', pattern: patterns.join('|') };
  }
  return { ...rest, ...(only && { anyOf: options }), ...(words && { type: 'string', enum: words }) };
}

function toPattern({ enum: words, pattern }: Json): unknown {
  return Array.isArray(words)
    ? `^(?:${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})$`
    : pattern;
}

/** Corrects zod's JSON Schema in place. */
export function refineSchema(schema: Schema, json: Json, describeRule: Translate): void {
  if (isReceivedFile(schema)) Object.assign(json, { type: 'string', format: 'binary' });
  else describeRules(schema, json, describeRule);
  // These rules are for the stored form of media, which clients do not see.
  if (mediaRegistry.get(schema)) drop(json, 'minLength', 'maxLength', 'pattern');
  // The pattern repeats the format; `ulid` is not a standard format.
  if (json.format === 'date-time') drop(json, 'pattern');
  if (json.format === 'ulid') drop(json, 'format');
  const { const: only, enum: values = [only] } = json;
  if (json.type === 'number' && Array.isArray(values) && values.every(Number.isInteger))
    json.type = 'integer';
  if (json.minimum === Number.MIN_SAFE_INTEGER) drop(json, 'minimum');
  if (json.maximum === Number.MAX_SAFE_INTEGER) drop(json, 'maximum');
  // Keys are always strings.
  if (JSON.stringify(json.propertyNames) === '{"type":"string"}') drop(json, 'propertyNames');
}

/** Replaces an enum with values of several types, or with an empty text: by one schema for each type. */
export function splitEnum(json: Json): void {
  const { enum: values } = json;
  if (!Array.isArray(values)) return;
  const named = values.filter((value) => value !== null && value !== '');
  const options: Json[] = [
    ...Object.entries(Object.groupBy(named, (value) => typeof value)).map(([type, list = []]) => ({
      type: list.every(Number.isInteger) ? 'integer' : type,
      enum: list,
    })),
    ...(values.includes('') ? [emptyText] : []),
    ...(values.includes(null) ? [{ type: 'null' }] : []),
  ];
  if (options.length < 2 && named.length > 0) return;
  drop(json, 'type', 'enum');
  if (options.length === 1) Object.assign(json, options[0]);
  else json.anyOf = options;
}

/** Adds the label of a field, and the dictionary whose values it takes. */
export function addHints(schema: Schema, json: Json, locale: Locale): void {
  const { [locale]: title, dictionary } = hints.get(schema) ?? {};
  if (title !== undefined) json.title = title;
  if (dictionary !== undefined) json['x-dictionary'] = dictionary;
}

function drop(json: Json, ...keys: string[]): void {
  for (const key of keys) delete json[key];
}

/** Rules whose messages describe the fault, not the expected value. */
const refusals = ['rule.id', 'rule.well_formed', 'rule.duplicate', 'rule.file'];

/** Adds the messages of rules that are functions, which zod cannot describe. */
function describeRules(schema: Schema, json: Json, describeRule: Translate): void {
  // A rule of a whole object is about one field, but does not name it.
  if (json.type === 'object') return;
  const texts = new Set<string>();
  for (const each of rulesOf(schema)) {
    const { error, params = {} } = each as {
      error?: (issue: object) => unknown;
      params?: Record<string, string | number>;
    };
    const key = error?.({});
    if (typeof key !== 'string' || !key.startsWith('rule.') || refusals.includes(key)) continue;
    texts.add(describeRule(key, params));
    json.description = [...texts].join('; ');
    if (key !== 'rule.text') continue;
    if (params.min !== 0) json.minLength = params.min;
    json.maxLength = params.max;
  }
}
