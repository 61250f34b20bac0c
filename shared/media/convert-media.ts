import * as z from 'zod/mini';
import type { MediaSite } from './site-links.ts';

/** `public` completes for output, `stored` shortens for saving. */
export type MediaDirection = 'public' | 'stored';

/**
 * How a field with media is converted. The functions are part of it so that only schemas with rich text load
 * an HTML parser.
 */
export type MediaAnnotation = Record<MediaDirection, (text: string, site?: MediaSite) => string>;

/** The schemas of fields with media. */
export const mediaRegistry = z.registry<MediaAnnotation>();

type Schema = z.core.$ZodType;
type Convert = (data: unknown, direction: MediaDirection, site?: MediaSite) => unknown;

/** The conversion of a schema; null if it has nothing to convert. */
const converters = new WeakMap<Schema, Convert | null>();

/**
 * Converts the media in data: every field whose schema is a `mediaUrl` or `mediaHtml`, at any depth. Data of a
 * schema without such fields is returned at once, whatever its size. Nothing is changed in place; unchanged
 * parts are shared with the given data. Data that does not fit the schema stays.
 *
 * @param schema what the data is declared as: a route's `data` for output, its `body` for saving
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
  // A schema may contain itself: it then finds this reference to the converter that is being made.
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
  return listParts(readShape(schema)).some((part) => holdsMedia(part, seen));
}

function createText(annotation: MediaAnnotation): Convert {
  return (data, direction, site) => (typeof data === 'string' ? annotation[direction](data, site) : data);
}

function createParts(shape: Shape): Convert {
  switch (shape.kind) {
    case 'leaf':
      return (data) => data;
    case 'layers': {
      const layers = shape.layers.map(converterOf).filter((layer) => layer !== null);
      return (data, ...rest) => layers.reduce((value, layer) => layer(value, ...rest), data);
    }
    case 'choice':
      return (data, ...rest) => {
        const option = shape.options.find((candidate) => z.safeParse(candidate, data).success);
        return option ? convertMedia(option, data, ...rest) : data;
      };
    case 'fields':
      return createFields(shape);
    case 'items':
      return createItems(shape);
  }
}

function createFields({ fields, rest }: Shape & { kind: 'fields' }): Convert {
  const own = new Map(Object.entries(fields).map(([name, field]) => [name, converterOf(field)]));
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

function createItems({ items, rest }: Shape & { kind: 'items' }): Convert {
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
type Shape =
  | { kind: 'leaf' }
  /** Each describes the whole value. */
  | { kind: 'layers'; layers: readonly Schema[] }
  | { kind: 'choice'; options: readonly Schema[] }
  /** Fields by name; `rest` describes the others. */
  | { kind: 'fields'; fields: Readonly<Record<string, Schema>>; rest?: Schema }
  /** Items by place; `rest` describes the others. */
  | { kind: 'items'; items: readonly Schema[]; rest?: Schema };

/** The shape of a schema of JSON-like data; types that JSON lacks count as leaves. */
function readShape(schema: Schema): Shape {
  // zod documents this union of all its schemas for walking them.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return { kind: 'fields', fields: def.shape, rest: def.catchall };
    case 'record':
      return { kind: 'fields', fields: {}, rest: def.valueType };
    case 'array':
      return { kind: 'items', items: [], rest: def.element };
    case 'tuple':
      return { kind: 'items', items: def.items, rest: def.rest ?? undefined };
    case 'union':
      return { kind: 'choice', options: def.options };
    case 'intersection':
      return { kind: 'layers', layers: [def.left, def.right] };
    case 'pipe':
      return { kind: 'layers', layers: [def.in, def.out] };
    case 'lazy':
      return { kind: 'layers', layers: [def.getter()] };
    case 'optional':
    case 'nullable':
    case 'nonoptional':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'catch':
      return { kind: 'layers', layers: [def.innerType] };
    default:
      return { kind: 'leaf' };
  }
}

/** The schemas of a shape's parts. */
function listParts(shape: Shape): readonly Schema[] {
  switch (shape.kind) {
    case 'leaf':
      return [];
    case 'layers':
      return shape.layers;
    case 'choice':
      return shape.options;
    case 'fields':
      return [...Object.values(shape.fields), ...(shape.rest ? [shape.rest] : [])];
    case 'items':
      return [...shape.items, ...(shape.rest ? [shape.rest] : [])];
  }
}
