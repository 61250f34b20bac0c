import * as z from 'zod/mini';
import { wellFormed } from '#shared/schema/text.ts';
import type { MediaSite } from './site-links.ts';

/** `public` completes URLs for output, `stored` shortens them for saving. */
type MediaDirection = 'public' | 'stored';

/** How a field with media is converted. It holds the functions so that only schemas with rich text load a parser. */
type MediaAnnotation = Record<MediaDirection, (text: string, site?: MediaSite) => string>;

export const mediaRegistry = z.registry<MediaAnnotation>();

/** A string that validation converts to its stored form and then checks, and {@link convertMedia} to the public one. */
export function mediaField(
  annotation: MediaAnnotation,
  checks: z.core.$ZodCheck<string>[],
): z.ZodMiniString<string> {
  const stored = z.overwrite((text: string) => annotation.stored(text));
  const schema: z.ZodMiniString<string> = z.string().check(stored, wellFormed, ...checks);
  return schema.register(mediaRegistry, annotation);
}

type Schema = z.core.$ZodType;
type Convert = (data: unknown, direction: MediaDirection, site?: MediaSite) => unknown;

/** The conversion of a schema; null if it has nothing to convert. */
const converters = new WeakMap<Schema, Convert | null>();

/**
 * Converts every field whose schema is a `mediaUrl` or `mediaHtml`, at any depth. Returns at once if the schema has
 * no such field. Changes nothing in place; unchanged parts are shared with the given data. Data that does not fit
 * the schema stays.
 *
 * @param schema a route's `data` for output, its `body` for saving
 * @param direction `public` for output (media rule 1), `stored` for saving (media rule 2)
 * @param site this process's by default
 */
export function convertMedia(
  schema: Schema,
  data: unknown,
  direction: MediaDirection,
  site?: MediaSite,
): unknown {
  const convert = converterOf(schema);
  return convert ? convert(data, direction, site) : data;
}

function converterOf(schema: Schema): Convert | null {
  const known = converters.get(schema);
  if (known !== undefined) return known;
  if (!holdsMedia(schema, new Set())) {
    converters.set(schema, null);
    return null;
  }
  // A schema may contain itself: it then finds this reference, before its converter exists.
  let converter: Convert | undefined;
  const reference: Convert = (data, ...rest) => (converter ? converter(data, ...rest) : data);
  converters.set(schema, reference);
  const annotation = mediaRegistry.get(schema);
  converter = annotation ? createText(annotation) : createParts(readShape(schema));
  return reference;
}

function holdsMedia(schema: Schema, seen: Set<Schema>): boolean {
  if (mediaRegistry.get(schema)) return true;
  if (seen.has(schema)) return false;
  seen.add(schema);
  const { parts, rest } = readShape(schema);
  return Object.values(parts)
    .concat(rest ?? [])
    .some((part) => holdsMedia(part, seen));
}

function createText(annotation: MediaAnnotation): Convert {
  return (data, direction, site) => (typeof data === 'string' ? annotation[direction](data, site) : data);
}

function createParts({ kind, parts, rest }: Shape): Convert {
  const schemas = Object.values(parts);
  switch (kind) {
    case 'layers': {
      const layers = schemas.map(converterOf).filter((layer) => layer !== null);
      return (data, ...options) => layers.reduce((value, layer) => layer(value, ...options), data);
    }
    case 'choice':
      return (data, ...options) => {
        const choice = schemas.find((candidate) => z.safeParse(candidate, data).success);
        return choice ? convertMedia(choice, data, ...options) : data;
      };
    case 'fields':
      return createFields(new Map(Object.entries(parts)), rest);
    case 'items':
      return createItems(schemas, rest);
  }
}

function createFields(fields: Map<string, Schema>, rest: Schema | undefined): Convert {
  const own = new Map([...fields].map(([name, field]) => [name, converterOf(field)]));
  const other = rest ? converterOf(rest) : null;
  const convertible = [...own.keys()].filter((name) => own.get(name));
  return (data, ...options) => {
    if (typeof data !== 'object' || data === null || Array.isArray(data)) return data;
    const given = data as Record<string, unknown>;
    const changed = (other ? Object.keys(given) : convertible).flatMap((name) => {
      if (!Object.hasOwn(given, name)) return [];
      const convert = own.has(name) ? own.get(name) : other;
      const converted = convert ? convert(given[name], ...options) : given[name];
      return converted === given[name] ? [] : [[name, converted] as const];
    });
    return changed.length > 0 ? { ...data, ...Object.fromEntries(changed) } : data;
  };
}

function createItems(items: readonly Schema[], rest: Schema | undefined): Convert {
  const own = items.map(converterOf);
  const other = rest ? converterOf(rest) : null;
  return (data, ...options) => {
    if (!Array.isArray(data)) return data;
    const converted = data.map((value, place) => {
      const convert = place < own.length ? own[place] : other;
      return convert ? convert(value, ...options) : value;
    });
    return converted.some((value, place) => value !== data[place]) ? converted : data;
  };
}

/** How a schema describes the parts of a value. */
interface Shape {
  /** Layers all describe the whole value; of a choice, one does. Fields have names, items have places. */
  kind: 'layers' | 'choice' | 'fields' | 'items';
  parts: Readonly<Record<string, Schema>> | readonly Schema[];
  /** Describes the other fields or items. */
  rest?: Schema;
}

/** The shape of a schema of JSON-like data; other types have no parts. */
function readShape(schema: Schema): Shape {
  // zod documents this union of all its schemas for code that walks through them.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return { kind: 'fields', parts: def.shape, rest: def.catchall };
    case 'record':
      return { kind: 'fields', parts: {}, rest: def.valueType };
    case 'array':
      return { kind: 'items', parts: [], rest: def.element };
    case 'tuple':
      return { kind: 'items', parts: def.items, rest: def.rest ?? undefined };
    case 'union':
      return { kind: 'choice', parts: def.options };
    case 'intersection':
      return { kind: 'layers', parts: [def.left, def.right] };
    case 'pipe':
      return { kind: 'layers', parts: [def.in, def.out] };
    case 'lazy':
      return { kind: 'layers', parts: [def.getter()] };
    case 'optional':
    case 'nullable':
    case 'nonoptional':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'catch':
      return { kind: 'layers', parts: [def.innerType] };
    default:
      return { kind: 'layers', parts: [] };
  }
}
