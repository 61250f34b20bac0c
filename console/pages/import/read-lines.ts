import type { Field } from '#functions/console/description.ts';
import { findProblem } from '../../fields/form-rules.ts';
import type { Problem, TextContext } from '../../fields/kind.ts';
import { kindOf } from '../../fields/kinds.ts';

/** A line of a file as the service takes it. */
export interface ImportedLine {
  /** Number in the file, from 1; the header is the first. */
  number: number;
  values: Record<string, unknown>;
}

/** The field of each column of a file; undefined for a column that is left out. */
export type Columns = readonly (Field | undefined)[];

const fold = (text: string): string => text.trim().normalize('NFKC').toLowerCase();

/** Finds the field of each column by its name or its label in any language. The first column of a field has it. */
export function matchColumns(header: readonly string[], fields: readonly Field[]): Columns {
  const matched = header.map((text) =>
    fields.find(({ name, label }) => [name, label.zh_CN, label.en].some((each) => fold(each) === fold(text))),
  );
  return matched.map((field, at) => (matched.indexOf(field) === at ? field : undefined));
}

/** Another field for a column; the column that had it is left out. */
export const setColumn = (columns: Columns, at: number, field: Field | undefined): Columns =>
  columns.map((each, index) => {
    if (index === at) return field;
    return each === field ? undefined : each;
  });

/** The fields that every record needs, and no column fills. */
export const findMissing = (columns: Columns, fields: readonly Field[]): Field[] =>
  fields.filter((field) => field.required && !columns.includes(field));

/** The values of the lines below the header; empty cells are left out. A text that fits no value is sent as it is, so that the service names it. */
export const readLines = (
  rows: readonly (readonly string[])[],
  columns: Columns,
  context: TextContext,
): ImportedLine[] =>
  rows.flatMap((cells, at) => {
    if (cells.every((text) => text.trim() === '')) return [];
    const values = columns.flatMap((field, column) => {
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

/** Whether a field takes no text, and the cell could not be read as what it takes. */
export const isUnread = (field: Field, value: unknown): value is string =>
  typeof value === 'string' && (kindOf(field).column.isNumeric === true || field.type === 'boolean');

/** What is wrong with a value by the rules of its field, in the words of a form; undefined if only the service knows. */
export function findCellProblem(field: Field, value: unknown): Problem | undefined {
  if (value === undefined) return field.required ? { key: 'rule.required' } : undefined;
  return isUnread(field, value) ? { key: 'rule.unread', params: { text: value } } : findProblem(field, value);
}
