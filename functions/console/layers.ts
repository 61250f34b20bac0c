import type * as z from 'zod/mini';
import { definitionOf, innerOf, type Schema, typeOf } from '#shared/schema/definition.ts';

/** `text`: sent by clients as text, in a query or form. */
export type Side = 'input' | 'output' | 'text';

/** A schema under all that wraps it. */
export interface Layers {
  /** From the outermost to the core. */
  list: readonly Schema[];
  core: Schema;
  isNullable: boolean;
  default?: unknown;
}

/** Kinds that a text is parsed to. */
const parsedTypes = ['number', 'boolean', 'array'];

/** Takes off all that wraps a schema: optional, nullable, default, pipes, and unions with null or an empty value. */
export function readLayers(schema: Schema, side: Side): Layers {
  if (side !== 'text') return unwrap(schema, side);
  // The parsed form of a text describes it better.
  const parsed = unwrap(schema, 'output');
  return parsedTypes.includes(typeOf(parsed.core)) ? parsed : unwrap(schema, 'input');
}

function unwrap(schema: Schema, side: 'input' | 'output'): Layers {
  const def = definitionOf(schema);
  const inner = innerOf(schema);
  if (inner) {
    const more = def.type === 'nullable' ? { isNullable: true } : {};
    const start = 'defaultValue' in def ? { default: def.defaultValue } : {};
    return wrap(schema, { ...unwrap(inner, side), ...more, ...start });
  }
  switch (def.type) {
    case 'pipe':
      return wrap(schema, unwrap(choosePart(def, side), side));
    case 'union':
      return unwrapUnion(schema, def, side);
    default:
      return { list: [schema], core: schema, isNullable: def.type === 'null' };
  }
}

const wrap = (schema: Schema, inner: Layers): Layers => ({ ...inner, list: [schema, ...inner.list] });

/** A transformation has no schema of its own, and a check after a pipe no type. */
function choosePart({ in: first, out: last }: z.core.$ZodPipeDef, side: 'input' | 'output'): Schema {
  const isPlain = (part: Schema) => ['transform', 'unknown', 'any'].includes(typeOf(part));
  const [wanted, other] = side === 'input' ? [first, last] : [last, first];
  return isPlain(wanted) ? other : wanted;
}

function unwrapUnion(schema: Schema, def: z.core.$ZodUnionDef, side: 'input' | 'output'): Layers {
  const isNull = (option: Schema) => typeOf(option) === 'null';
  const isNullable = def.options.some(isNull);
  const options = def.options.filter((option) => !isNull(option));
  const [only, ...others] = options.length > 1 ? options.filter((each) => !isBlank(each)) : options;
  if (!only || others.length > 0) return { list: [schema], core: schema, isNullable };
  const inner = unwrap(only, side);
  return wrap(schema, { ...inner, isNullable: isNullable || inner.isNullable });
}

/** Whether a schema stands for a missing value only: `''` or 0. */
function isBlank(schema: Schema): boolean {
  const def = definitionOf(schema);
  return def.type === 'literal' && def.values.every((value) => ['', '0', 0].includes(value as never));
}
