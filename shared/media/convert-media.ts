import * as z from 'zod/mini';
import { type MediaAnnotation, type MediaDirection, mediaRegistry } from './annotation.ts';
import { listParts, readShape, type Schema, type Shape } from './schema-shape.ts';
import type { MediaSite } from './site.ts';

type Convert = (data: unknown, direction: MediaDirection, site?: MediaSite) => unknown;

/** A schema's conversion, null where it has nothing to convert. */
const converters = new WeakMap<Schema, Convert | null>();

/**
 * Converts the media in data: every field whose schema is a `mediaUrl` or `mediaHtml`, wherever it lies.
 * Data of a schema without such fields is returned at once, whatever its size. Nothing is changed in place;
 * what holds no converted field is shared with the data given. Data that does not fit the schema stays.
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
  // A schema may hold itself: what reads it finds a reference to the converter that is being made.
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
