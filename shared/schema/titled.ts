import * as z from 'zod/mini';
import type { LocalisedText } from './component.ts';

/** The types that a declaration may name. `functions/console/hints.ts`, which has all types, adds them. */
// biome-ignore lint/suspicious/noEmptyInterface: it is added to there
export interface DeclaredTypes {}

/** The label of a field, and hints for forms and tables. */
export interface Hints extends LocalisedText {
  /** How a field is shown, if this does not follow from its schema. */
  type?: keyof DeclaredTypes extends never ? string : keyof DeclaredTypes;
  /** Type key of the dictionary whose values the field takes. */
  dictionary?: string;
  /** Kind of the file that a media URL names. */
  media?: 'image' | 'video' | 'file';
  /** Currency of an amount, as in ISO 4217. */
  currency?: string;
  /** Folder whose records the IDs name: `system/role`. */
  refersTo?: string;
  /** Values of another type that are accepted too. The document keeps them apart: clients get one type. */
  alsoAccepts?: readonly (string | number)[];
  /** Labels of an enum's values. */
  options?: Readonly<Record<string, LocalisedText>>;
}

/** Labels and hints of fields. */
export const hints = z.registry<Partial<Hints>>();

/**
 * A copy of a schema with a label: `titled({ zh_CN: '标题', en: 'Title' }, text(1, 200))`. The copy keeps the marks,
 * hints and media conversion of the schema. Functions are built without labels: there it is the schema itself, so
 * marks, components and checks belong into the schema, not around it.
 *
 * @param given an object literal without calls; its hints win over those that the schema has
 */
export function titled<Schema extends z.core.$ZodType>(given: Hints, schema: Schema): Schema {
  const copy = z.clone(schema);
  hints.add(copy, given);
  return copy;
}

/** Adds hints to a schema that gets its label later. Functions are built without them. */
export function addHints(schema: z.core.$ZodType, given: Partial<Hints>): void {
  hints.add(schema, given);
}

/** The hints of a schema and of what it is a copy of; none in functions. */
export const hintsOf = (schema: z.core.$ZodType): Partial<Hints> => hints.get(schema) ?? {};
