import type { Field } from '#functions/console/description.ts';
import { localise } from '../../base/locale.ts';
import { saveFile } from '../../base/save-file.ts';
import { toFieldText } from '../../fields/field-text.ts';
import { formatTime } from '../../fields/format.ts';
import { readMember } from '../../fields/kind.ts';
import { loadDictionaries } from '../../fields/names/dictionary.ts';
import { textContext } from '../../fields/use-text.ts';
import { toCsvFile, toCsvLine } from '../lists/csv.ts';

/** The header of a file with these columns, after their dictionaries were read. */
export async function startLines(columns: readonly Field[]): Promise<string[]> {
  await loadDictionaries(columns.flatMap((field) => field.dictionary ?? field.items?.dictionary ?? []));
  return [toCsvLine(columns.map(({ label }) => localise(label)))];
}

/** One row as a line. */
export const toRowLine = (columns: readonly Field[], row: unknown): string =>
  toCsvLine(
    columns.map((field) =>
      toFieldText(field, readMember(row, field.name), { ...textContext, isExact: true }),
    ),
  );

/** Saves lines as a CSV file. @param name of the file, before the time */
export function saveLines(name: string, lines: readonly string[]): void {
  const time = formatTime(new Date().toISOString()).replace(':', '');
  saveFile(`${name} ${time}.csv`, toCsvFile(lines));
}

/** Saves rows as a CSV file. @param name of the file, before the time */
export async function saveRows(
  name: string,
  columns: readonly Field[],
  rows: readonly unknown[],
): Promise<void> {
  const lines = await startLines(columns);
  saveLines(name, [...lines, ...rows.map((row) => toRowLine(columns, row))]);
}
