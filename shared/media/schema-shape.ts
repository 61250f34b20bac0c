import type * as z from 'zod/mini';

export type Schema = z.core.$ZodType;

/** How the parts of a value are found by its schema. */
export type Shape =
  | { kind: 'leaf' }
  /** Each describes the whole value. */
  | { kind: 'layers'; layers: readonly Schema[] }
  | { kind: 'choice'; options: readonly Schema[] }
  /** Fields by name; `rest` describes the others. */
  | { kind: 'fields'; fields: Readonly<Record<string, Schema>>; rest?: Schema }
  /** Items by place; `rest` describes those behind. */
  | { kind: 'items'; items: readonly Schema[]; rest?: Schema };

/** The shape of a schema of JSON-like data; what JSON has not counts as a leaf. */
export function readShape(schema: Schema): Shape {
  // zod's own union of all its schemas, which it documents for walking them.
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
export function listParts(shape: Shape): readonly Schema[] {
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
