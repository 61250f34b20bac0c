import * as z from 'zod/mini';
import { cloneWith, definitionOf, innerOf, type Schema } from '#shared/schema/definition.ts';
import { wellFormed } from '#shared/schema/text.ts';

/** Conversions of a field with media: `public` completes URLs for output, `stored` shortens them for saving. */
type MediaAnnotation = Record<'public' | 'stored', (text: string) => string>;

/** The fields with media. It holds their functions, so that only schemas with rich text load a parser. */
export const mediaRegistry = z.registry<MediaAnnotation>();

/** A string that validation shortens (media rule 2) and then checks, and {@link convertMedia} completes (rule 1). */
export function mediaField(
  annotation: MediaAnnotation,
  checks: z.core.$ZodCheck<string>[],
): z.ZodMiniString<string> {
  const stored = z.overwrite((text: string) => annotation.stored(text));
  const schema: z.ZodMiniString<string> = z.string().check(stored, wellFormed, ...checks);
  return schema.register(mediaRegistry, annotation);
}

/** A field as answered: its checks are of the stored form, which the full address of a file does not fit. */
export function toAnsweredMedia(field: Schema): Schema {
  const annotation = mediaRegistry.get(field);
  if (annotation) return cloneWith(field, { checks: [] }, { parent: true });
  const def = definitionOf(field);
  const inner = def.type === 'array' ? def.element : innerOf(field);
  const answered = inner && toAnsweredMedia(inner);
  if (answered === inner) return field;
  const changes = def.type === 'array' ? { element: answered } : { innerType: answered };
  return cloneWith(field, changes, { parent: true });
}

/**
 * Completes every field whose schema is a `mediaUrl` or `mediaHtml`, at any depth (media rule 1), in a copy. Other
 * data stays.
 *
 * @param schema a route's `data`; without such a field it costs nothing
 */
export function convertMedia(schema: Schema, data: unknown): unknown {
  const annotation = mediaRegistry.get(schema);
  if (annotation) return typeof data === 'string' ? annotation.public(data) : data;
  const shape = shapeOf(schema);
  if (!shape) return data;
  switch (shape.kind) {
    case 'layers':
      return shape.parts.reduce((value, layer) => convertMedia(layer, value), data);
    case 'choice': {
      const choice = shape.parts.find((candidate) => z.safeParse(candidate, data).success);
      // Older data may fit none: then every choice removes what it would not answer.
      const choices = choice ? [choice] : shape.parts;
      return choices.reduce((value, each) => convertMedia(each, value), data);
    }
    default:
      return Array.isArray(data) === (shape.kind === 'items') ? convertParts(shape, data) : data;
  }
}

function convertParts({ parts, rest }: PartsShape, data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data;
  let isChanged = false;
  const entries = Object.entries(data).map(([name, value]) => {
    const part = Object.hasOwn(parts, name) ? parts[name] : rest;
    const converted = part ? convertMedia(part, value) : value;
    isChanged ||= converted !== value;
    return [name, converted] as const;
  });
  if (!isChanged) return data;
  return Array.isArray(data) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

/** The shapes of schemas that hold media; null for all others. */
const shapes = new WeakMap<Schema, Shape | null>();

function shapeOf(schema: Schema): Shape | null {
  const known = shapes.get(schema);
  if (known !== undefined) return known;
  const shape = holdsMedia(schema, new Set()) ? readShape(schema) : null;
  shapes.set(schema, shape);
  return shape;
}

function holdsMedia(schema: Schema, seen: Set<Schema>): boolean {
  if (mediaRegistry.get(schema)) return true;
  if (seen.has(schema)) return false;
  seen.add(schema);
  const shape = readShape(schema);
  const rest = 'rest' in shape && shape.rest ? [shape.rest] : [];
  return [...Object.values(shape.parts), ...rest].some((part) => holdsMedia(part, seen));
}

/** Fields by name, or items by index; `rest` describes all others. */
interface PartsShape {
  kind: 'fields' | 'items';
  parts: Readonly<Record<string, Schema>>;
  rest?: Schema | undefined;
}

/** How a schema describes the parts of a value. Layers all describe the whole value; of a choice, one does. */
type Shape = PartsShape | { kind: 'layers' | 'choice'; parts: readonly Schema[] };

/** The shape of a schema of JSON-like data; other types have no parts. */
function readShape(schema: Schema): Shape {
  const inner = innerOf(schema);
  if (inner) return { kind: 'layers', parts: [inner] };
  const def = definitionOf(schema);
  switch (def.type) {
    case 'object':
      return { kind: 'fields', parts: def.shape, rest: def.catchall };
    case 'record':
      return { kind: 'fields', parts: {}, rest: def.valueType };
    case 'array':
      return { kind: 'items', parts: {}, rest: def.element };
    case 'tuple':
      return { kind: 'items', parts: Object.fromEntries(def.items.entries()), rest: def.rest ?? undefined };
    case 'union':
      return { kind: 'choice', parts: def.options };
    case 'intersection':
      return { kind: 'layers', parts: [def.left, def.right] };
    case 'pipe':
      return { kind: 'layers', parts: [def.in, def.out] };
    case 'lazy':
      return { kind: 'layers', parts: [def.getter()] };
    default:
      return { kind: 'layers', parts: [] };
  }
}
