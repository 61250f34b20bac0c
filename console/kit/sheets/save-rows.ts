import type { Field } from '#functions/console/description.ts';
import { localise } from '../../base/locale.ts';
import { saveFile } from '../../base/save-file.ts';
import { toFieldText } from '../../fields/field-text.ts';
import { formatTime } from '../../fields/format.ts';
import { readMember } from '../../fields/kind.ts';
import { loadDictionaries } from '../../fields/names/dictionary.ts';
import { textContext } from '../../fields/use-text.ts';
import { isPlainNumber, toCsvFile, toCsvLine } from './csv.ts';

/** The kinds of files that rows are saved as. */
export const fileFormats = ['csv', 'xlsx'] as const;
export type FileFormat = (typeof fileFormats)[number];

/** In a workbook, a number of the data stays a number, so that a spreadsheet can calculate with it. All else is text. */
export type Cell = string | number;

/** The header of a file with these columns, after their dictionaries were read. */
export async function startRows(columns: readonly Field[]): Promise<Cell[][]> {
  await loadDictionaries(columns.flatMap((field) => field.dictionary ?? field.items?.dictionary ?? []));
  return [columns.map(({ label }) => localise(label))];
}

/** The cells of a row. */
export const toCells = (format: FileFormat, columns: readonly Field[], row: unknown): Cell[] =>
  columns.map((field) => {
    const value = readMember(row, field.name);
    const text = toFieldText(field, value, { ...textContext, isExact: true });
    const isNumber = format === 'xlsx' && typeof value === 'number' && isPlainNumber(text);
    return isNumber ? Number(text) : text;
  });

/** Saves cells as a file. @param name of the file, before the time */
export async function saveCells(
  name: string,
  format: FileFormat,
  rows: readonly (readonly Cell[])[],
): Promise<void> {
  const time = formatTime(new Date().toISOString()).replace(':', '');
  saveFile(`${name} ${time}.${format}`, format === 'csv' ? toCsv(rows) : await toWorkbook(name, rows));
}

const toCsv = (rows: readonly (readonly Cell[])[]): Blob =>
  toCsvFile(rows.map((cells) => toCsvLine(cells.map(String))));

async function toWorkbook(name: string, rows: readonly (readonly Cell[])[]): Promise<Blob> {
  const { writeWorkbook } = await import('./workbook.ts');
  return writeWorkbook(name, rows);
}

/** Saves rows as a file. @param name of the file, before the time */
export async function saveRows(
  name: string,
  format: FileFormat,
  columns: readonly Field[],
  rows: readonly unknown[],
): Promise<void> {
  const header = await startRows(columns);
  await saveCells(name, format, [...header, ...rows.map((row) => toCells(format, columns, row))]);
}
