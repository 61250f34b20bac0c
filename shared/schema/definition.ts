import * as z from 'zod/mini';

/** Any schema. */
export type Schema = z.core.$ZodType;

/**
 * The definition of a schema, as the union that zod documents for code that walks through schemas: `type` narrows it to
 * one kind. Only this file knows where zod keeps it.
 */
export const definitionOf = (schema: Schema): z.core.$ZodTypes['_zod']['def'] =>
  (schema as z.core.$ZodTypes)._zod.def;

/** The kind of a schema: `object`, `pipe`, … */
export const typeOf = (schema: Schema): string => definitionOf(schema).type;

/** The schema that a wrapper, such as `optional` or `default`, describes the same value with; undefined for any other. */
export function innerOf(schema: Schema): Schema | undefined {
  const def = definitionOf(schema);
  // The values of these two are not of the inner schema.
  return 'innerType' in def && def.type !== 'success' && def.type !== 'promise' ? def.innerType : undefined;
}

/** The fields of an object by name; empty for any other schema. */
export function fieldsOf(schema: Schema): Readonly<Record<string, Schema>> {
  const def = definitionOf(schema);
  return def.type === 'object' ? def.shape : {};
}

/** The definitions of a schema and of its checks. */
export function rulesOf(schema: Schema): object[] {
  const def = definitionOf(schema);
  return [def, ...(def.checks ?? []).map(({ _zod }) => _zod.def)];
}

/** The schema that another one is a clone of; undefined for an original. */
export const originOf = (schema: Schema): Schema | undefined => schema._zod.parent;

/** Whether a schema accepts a missing value, or, on the other side, may lead to one. */
export const isOptional = (schema: Schema, side: 'input' | 'output'): boolean =>
  schema._zod[side === 'output' ? 'optout' : 'optin'] !== undefined;

/** A clone with another definition. @param changes parts of the definition */
export const cloneWith = <S extends Schema>(schema: S, changes: object, params?: { parent: true }): S =>
  z.clone(schema, { ...schema._zod.def, ...changes }, params);

/** Whether a value is a schema of zod. */
export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && '_zod' in value;

/** All values directly below a schema, schemas and others; those of an object's fields with their names. */
export function listInner(schema: Schema): [name: string | undefined, inner: unknown][] {
  const def = definitionOf(schema);
  // A default is an accessor, which may run a function of the module.
  const values = Object.values(Object.getOwnPropertyDescriptors(def)).flatMap(({ value }) => value);
  const lazy = 'innerType' in schema._zod ? schema._zod.innerType : undefined;
  return [
    ...Object.entries(fieldsOf(schema)),
    ...[...values, lazy].map((inner): [undefined, unknown] => [undefined, inner]),
  ];
}
