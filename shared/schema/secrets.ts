import type * as z from 'zod/mini';
import { definitionOf, isSchema, listInner } from './definition.ts';
import { marks } from './marks.ts';

type Schema = z.core.$ZodType;

/** Whether a schema is a secret under what wraps it. */
export function isSecret(schema: Schema): boolean {
  if (marks.get(schema)?.mark === 'secret') return true;
  const def = definitionOf(schema);
  if (def.type === 'pipe') return isSecret(def.in) || isSecret(def.out);
  if (def.type === 'union') return def.options.some(isSecret);
  return 'innerType' in def && isSecret(def.innerType);
}

/** Whether any part of a schema is a secret. */
function holdsSecret(schema: Schema, seen: ReadonlySet<Schema> = new Set()): boolean {
  if (seen.has(schema)) return false;
  const met = new Set([...seen, schema]);
  return (
    isSecret(schema) || listInner(schema).some(([, inner]) => isSchema(inner) && holdsSecret(inner, met))
  );
}

/**
 * A value without the fields that are marked as secrets, and without those that the schema does not have. Parts whose
 * kind cannot be divided are left out as a whole if they may hold a secret.
 *
 * @param value as stored
 */
export function withoutSecrets(schema: Schema, value: unknown): unknown {
  if (value === undefined || isSecret(schema)) return undefined;
  const def = definitionOf(schema);
  if (def.type === 'object' && typeof value === 'object' && value !== null) {
    const given = new Map(Object.entries(value));
    const fields = Object.entries(def.shape).map(([name, field]) => [
      name,
      withoutSecrets(field, given.get(name)),
    ]);
    return Object.fromEntries(fields.filter(([, each]) => each !== undefined));
  }
  if (def.type === 'array' && Array.isArray(value)) {
    return value.map((each) => withoutSecrets(def.element, each) ?? null);
  }
  if ('innerType' in def) return value === null ? null : withoutSecrets(def.innerType, value);
  return holdsSecret(schema) ? undefined : value;
}
