import { type ComputedRef, computed, shallowRef } from 'vue';
import type { Field } from '#functions/console/description.ts';
import { localise } from '../../base/locale.ts';
import { loadDictionaries } from '../../fields/names/dictionary.ts';
import { textContext } from '../../fields/use-text.ts';
import { readSheet } from '../../kit/sheets/read-sheet.ts';
import { type Columns, findMissing, matchColumns, readLines, setColumn } from './read-lines.ts';
import { texts } from './texts.ts';

const largestBytes = 20 * 1024 ** 2;
export const mostLines = 20_000;

/** What stands in a file, and the field of each column. */
export interface Table {
  header: readonly string[];
  rows: readonly (readonly string[])[];
  columns: Columns;
}

/** The file of an import: what stands in it, which field each column fills, and its lines. */
export function useFile(fields: ComputedRef<readonly Field[]>) {
  const table = shallowRef<Table>();
  const lines = computed(() => {
    const { rows = [], columns = [] } = table.value ?? {};
    return readLines(rows, columns, textContext);
  });
  /** Why the lines cannot be checked; empty if they can. */
  const problem = computed(() => {
    const missing = findMissing(table.value?.columns ?? [], fields.value).map(({ label }) => localise(label));
    if (missing.length > 0) return localise(texts.missing, { names: missing.join(', ') });
    if (lines.value.length === 0) return localise(texts.nothing);
    return lines.value.length > mostLines ? localise(texts.too_many, { max: mostLines }) : '';
  });

  return {
    table,
    lines,
    problem,
    /** @throws FileProblem that says what to mend */
    async read(file: File): Promise<Table> {
      const [[header = [], ...rows]] = await Promise.all([
        readSheet(file, { largestBytes, mostRows: mostLines + 1 }),
        loadDictionaries(fields.value.flatMap(({ dictionary }) => dictionary ?? [])),
      ]);
      return { header, rows, columns: matchColumns(header, fields.value) };
    },
    /** @param field undefined leaves the column out */
    setColumn(at: number, field: Field | undefined): void {
      if (table.value) table.value = { ...table.value, columns: setColumn(table.value.columns, at, field) };
    },
  };
}
