import type { Field } from '#functions/console/description.ts';
import { type FieldKind, findReferredPath } from './kind.ts';
import { kindFiles } from './kind-files.ts';
import { toReferenceKind } from './names/reference.ts';

/** The kind of each type, from its file. Forms, tables, filters, exports and settings ask it, and nothing else asks for the type. */
export const kinds: Readonly<Record<string, FieldKind>> = Object.fromEntries(
  Object.entries(kindFiles).map(([file, kind]) => [file.replace(/^.*\/|\.kind\.ts$/g, ''), kind]),
);

/** The kind of a field. Fields of any type that name records of a page are chosen and shown by name. */
export function kindOf(field: Field): FieldKind {
  const kind = kinds[field.type];
  if (!kind) throw new Error(`${field.type}.kind.ts is missing`);
  return findReferredPath(field) === undefined ? kind : toReferenceKind(kind);
}
