import type { Item, Key } from '#shared/db/items.ts';
import type { Attributes } from '#shared/db/writes.ts';
import { innerOf, originOf, type Schema } from '#shared/schema/definition.ts';

/** What the values of a field name: records of another kind, or items of a dictionary. */
export interface Reference {
  /** The items that must exist, with these values, when a record begins to name a value. */
  needs(value: string): { key: Key; expect: Attributes }[];
  /** Type key of the dictionary that counts the uses of its values. */
  dictionary?: string;
  /** How values are shown to people; unknown values are left out. */
  readLabels(values: readonly string[]): Promise<Map<string, string>>;
}

/** The fields whose values name something. */
const references = new WeakMap<Schema, Reference>();

/** Says what the values of a field name. */
export function setReference(field: Schema, reference: Reference): void {
  references.set(field, reference);
}

/** The reference of a field, also of a copy of it and inside of `optional` and the like. */
export function referenceOf(field: Schema): Reference | undefined {
  const found = references.get(field);
  const next = originOf(field) ?? innerOf(field);
  return found ?? (next && referenceOf(next));
}

/** Whether a stored item is what a reference needs. */
export const isAsNeeded = (item: Item | undefined, expect: Attributes): boolean =>
  item !== undefined && Object.entries(expect).every(([name, value]) => item[name] === value);
