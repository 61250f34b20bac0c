import type { Field } from '#functions/console/description.ts';
import type { TextContext } from '../../fields/kind.ts';
import { kindOf } from '../../fields/kinds.ts';

/** A line of a file as the service takes it. */
export interface ImportedLine {
  /** Number in the file, from 1; the header is the first. */
  number: number;
  values: Record<string, unknown>;
}

/** The columns of a file, and what they fill. */
export interface Columns {
  /** The field of each column; undefined for a column that is left out. */
  fields: readonly (Field | undefined)[];
  /** Headers of columns that are left out. */
  ignored: readonly string[];
  /** Fields without a column, although every record needs them. */
  missing: readonly Field[];
}

const fold = (text: string): string => text.trim().normalize('NFKC').toLowerCase();

/** Finds the field of each column by its name or its label in any language. */
export function matchColumns(header: readonly string[], fields: readonly Field[]): Columns {
  const matched = header.map((text) =>
    fields.find(({ name, label }) => [name, label.zh_CN, label.en].some((each) => fold(each) === fold(text))),
  );
  const found = matched.map((field, at) => (matched.indexOf(field) === at ? field : undefined));
  return {
    fields: found,
    ignored: header.filter((text, at) => text.trim() !== '' && !found[at]),
    missing: fields.filter((field) => field.required && !found.includes(field)),
  };
}

/** The values of the lines below the header; empty cells are left out. A text that fits no value is sent as it is, so that the service names it. */
export const readLines = (
  rows: readonly (readonly string[])[],
  { fields }: Columns,
  context: TextContext,
): ImportedLine[] =>
  rows.flatMap((cells, at) => {
    if (cells.every((text) => text.trim() === '')) return [];
    const values = fields.flatMap((field, column) => {
      const text = cells[column]?.trim() ?? '';
      return field && text !== '' ? [[field.name, readCell(field, text, context)] as const] : [];
    });
    return [{ number: at + 2, values: Object.fromEntries(values) }];
  });

/** A cell's value, as an export writes it. */
function readCell(field: Field, text: string, context: TextContext): unknown {
  const { read, filter } = kindOf(field);
  // An export defuses formulas by an apostrophe.
  const plain = /^'[=+\-@＝＋－＠]/.test(text) ? text.slice(1) : text;
  return (read ? read(field, plain, context, kindOf) : filter.read(field, plain)) ?? plain;
}
