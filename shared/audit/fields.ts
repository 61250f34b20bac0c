import * as z from 'zod/mini';
import { definitionOf, innerOf, rulesOf, type Schema } from '#shared/schema/definition.ts';
import { marks } from '#shared/schema/marks.ts';
import { isSecret } from '#shared/schema/secrets.ts';

/** Longest label that is kept, in UTF-16 units. */
const labelLength = 300;
/** Most elements of a list that are kept. */
const listLength = 50;
/** Most bytes of all fields, as JSON. */
const limitBytes = 16 * 1024;
/** Formats of texts that are IDs or times. */
const plainFormats = new Set(['ulid', 'uuid', 'guid', 'datetime', 'date', 'time']);

/**
 * What the audit log keeps of a value: enums, booleans, numbers, IDs, times and labels; of other texts and of long
 * lists the length; of secrets, files, records and all else nothing.
 *
 * @param value fits the schema
 * @returns JSON
 */
export function describeFields(schema: Schema, value: unknown): Record<string, unknown> {
  const kept = describe(schema, value);
  const fields = typeof kept === 'object' && kept !== null && !Array.isArray(kept) ? { ...kept } : {};
  const size = Buffer.byteLength(JSON.stringify(fields));
  if (size <= limitBytes) return fields;
  return { ...Object.fromEntries(Object.entries(fields).filter(([, each]) => !isLarge(each))), size };
}

const isLarge = (value: unknown): boolean => typeof value === 'object' && value !== null;

function describe(schema: Schema, value: unknown): unknown {
  const found = marks.get(schema);
  const mark = found?.mark;
  if (mark === 'secret' || value === undefined) return undefined;
  if (mark === 'url' && typeof value === 'string') return describeUrl(value);
  if (found?.mark === 'choice' && typeof value === 'string') {
    return found.choices.includes(value) ? value : { length: value.length };
  }
  if (mark === 'label' && typeof value === 'string') return describeLabel(value);
  if (mark === 'label' && Array.isArray(value)) return describeItems(value, keepLabel);
  const inner = innerOf(schema);
  if (inner && value === null) return isSecret(inner) ? undefined : null;
  return inner ? describe(inner, value) : describeCore(schema, value);
}

/** Describes a value by a schema that is no wrapper. */
function describeCore(schema: Schema, value: unknown): unknown {
  const def = definitionOf(schema);
  switch (def.type) {
    case 'pipe':
      return describePipe(def, value);
    case 'union':
      return describeUnion(def.options, value);
    case 'literal':
      return def.values.some((each) => each === value) ? value : undefined;
    case 'enum':
      return Object.values(def.entries).some((each) => each === value) ? value : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'number':
      return Number.isFinite(value) ? value : undefined;
    case 'null':
      return value === null ? null : undefined;
    case 'string':
      return typeof value === 'string' ? describeText(schema, value) : undefined;
    case 'object':
      return describeObject(def.shape, value);
    case 'array':
      return Array.isArray(value) ? describeItems(value, (each) => describe(def.element, each)) : undefined;
    default:
      return undefined;
  }
}

const keepLabel = (value: unknown) => (typeof value === 'string' ? describeLabel(value) : undefined);

const describeLabel = (text: string) => (text.length > labelLength ? { length: text.length } : text);

function describeUrl(text: string) {
  const url = URL.parse(text);
  if (!url) return { length: text.length };
  return describeLabel(Object.assign(url, { username: '', password: '', search: '', hash: '' }).href);
}

function describeText(schema: Schema, text: string) {
  const formats = rulesOf(schema).map((each) => ('format' in each ? String(each.format) : ''));
  return formats.some((each) => plainFormats.has(each)) ? describeLabel(text) : { length: text.length };
}

/** The output of a transformation has no schema of its own. A check of any value leaves the value as it is. */
function describePipe(def: z.core.$ZodPipeDef, value: unknown): unknown {
  if (isSecret(def.in)) return undefined;
  return describe(isCheck(def.out) ? def.in : def.out, value);
}

function isCheck(schema: Schema): boolean {
  const def = definitionOf(schema);
  return def.type === 'pipe' ? isCheck(def.in) && isCheck(def.out) : def.type === 'unknown';
}

/** All options that fit the value must agree, so that an option that is secret cannot be kept by another one. */
function describeUnion(options: readonly Schema[], value: unknown): unknown {
  const [first, ...rest] = options
    .filter((option) => z.safeParse(option, value).success)
    .map((option) => describe(option, value));
  return rest.every((each) => JSON.stringify(each) === JSON.stringify(first)) ? first : undefined;
}

function describeObject(shape: z.core.$ZodShape, value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const given = new Map(Object.entries(value));
  const kept = Object.entries(shape).map(([name, schema]) => [name, describe(schema, given.get(name))]);
  return Object.fromEntries(kept.filter(([, each]) => each !== undefined));
}

function describeItems(list: readonly unknown[], keep: (item: unknown) => unknown): unknown {
  const first = list.slice(0, listLength).map(keep);
  if (first.includes(undefined)) return { length: list.length };
  return list.length > listLength ? { length: list.length, first } : first;
}

/**
 * The paths of wrong input, without names that the schema does not have: those are text of the client.
 *
 * @param root first part of the paths: `body`
 */
export function listKnownPaths(schema: Schema, root: string, paths: readonly string[]): string[] {
  const known = paths
    .filter((path) => path.split('.')[0] === root)
    .map((path) => [root, ...keepKnown(schema, path.split('.').slice(1))].join('.'));
  return [...new Set(known)].slice(0, listLength);
}

function keepKnown(schema: Schema, [name, ...rest]: readonly string[]): string[] {
  if (name === undefined) return [];
  for (const each of listObjects(schema)) {
    const def = definitionOf(each);
    if (def.type === 'array' && /^\d{1,6}$/.test(name)) return [name, ...keepKnown(def.element, rest)];
    if (def.type !== 'object' || !Object.hasOwn(def.shape, name)) continue;
    const inner = def.shape[name];
    return inner ? [name, ...keepKnown(inner, rest)] : [];
  }
  return [];
}

/** The objects and lists that a schema may stand for. */
function listObjects(schema: Schema): Schema[] {
  const inner = innerOf(schema);
  if (inner) return listObjects(inner);
  const def = definitionOf(schema);
  switch (def.type) {
    case 'object':
    case 'array':
      return [schema];
    case 'pipe':
      return [def.in, def.out].flatMap(listObjects);
    case 'union':
      return def.options.flatMap(listObjects);
    default:
      return [];
  }
}
