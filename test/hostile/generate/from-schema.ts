import fc from 'fast-check';
import { hostileValue } from './break-value.ts';
import { fittingText, hostileKey } from './texts.ts';

export type JsonSchema = Record<string, unknown>;
/** What is known to fit a field beside its schema, such as the ID of something that exists. */
export type Known = (name: string) => fc.Arbitrary<unknown> | undefined;

/**
 * Values that fit a JSON schema.
 *
 * @param name of the field that the schema is of
 * @param known used three times in four if it has a value for a field
 */
export function fromSchema(schema: JsonSchema, known: Known, name = ''): fc.Arbitrary<unknown> {
  const own = fromOwn(schema, known, name);
  const given = known(name);
  if (!given) return own;
  return fc.oneof({ weight: 3, arbitrary: given }, { weight: 1, arbitrary: own });
}

function fromOwn(schema: JsonSchema, known: Known, name: string): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.anyOf)) {
    return fc.oneof(...schema.anyOf.map((each: JsonSchema) => fromSchema(each, known, name)));
  }
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type: unknown) => fromOwn({ ...schema, type }, known, name)));
  }
  if (schema.type === 'object') return fromObject(schema, known);
  if (schema.type === 'array') return fromArray(schema, known, name);
  if (schema.type === 'string') return fromString(schema);
  if (schema.type === 'integer' || schema.type === 'number') return fromNumber(schema);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'null') return fc.constant(null);
  return fc.oneof(fc.jsonValue({ maxDepth: 3 }), hostileValue);
}

function fromObject(schema: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  const properties: [string, JsonSchema][] = Object.entries(Object(schema.properties));
  const fields = Object.fromEntries(properties.map(([name, each]) => [name, fromSchema(each, known, name)]));
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fixed = fc.record(fields, { requiredKeys: required });
  if (typeof schema.additionalProperties !== 'object') return fixed;
  const rest = fc.dictionary(hostileKey, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
  return fc.tuple(rest, fixed).map(([more, own]) => ({ ...more, ...own }));
}

function fromArray(schema: JsonSchema, known: Known, name: string): fc.Arbitrary<unknown> {
  const minLength = Number(schema.minItems ?? 0);
  const maxLength = Math.max(minLength, Math.min(Number(schema.maxItems ?? 5), 5));
  return fc.array(fromSchema(Object(schema.items), known, name), { minLength, maxLength });
}

function fromString({ pattern, minLength, maxLength }: JsonSchema): fc.Arbitrary<unknown> {
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern));
  return fittingText(Number(minLength ?? 0), Number(maxLength ?? 60));
}

function fromNumber({ type, minimum = -1000, maximum = 1e9 }: JsonSchema): fc.Arbitrary<unknown> {
  const [min, max] = [Number(minimum), Number(maximum)];
  const whole = fc.oneof(fc.integer({ min, max: Math.min(max, min + 5) }), fc.integer({ min, max }));
  return type === 'integer' ? whole : fc.oneof(whole, fc.double());
}
