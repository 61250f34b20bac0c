import { readXlsx, writeXlsx } from 'hucre/xlsx';

// Workbooks (.xlsx) are read and written by the browser only. Loaded on first use.

/** What a worksheet's name must not hold, and how long it may be. */
const forbidden = /[\\/?*[\]:]|^'|'$/g;
const mostCharacters = 31;

/** `_x0041_` in a text would be read as the character A (ECMA-376, part 1, 22.9.2.19). The library leaves it. */
const keepLiteral = (text: string): string => text.replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_');

/** A workbook of one sheet whose first row stays in view. @param name of the sheet */
export async function writeWorkbook(
  name: string,
  rows: readonly (readonly (string | number)[])[],
): Promise<Blob> {
  const [header = []] = rows;
  const bytes = await writeXlsx({
    sheets: [
      {
        name: name.replaceAll(forbidden, ' ').slice(0, mostCharacters).trim() || '1',
        rows: rows.map((cells) => cells.map((cell) => (typeof cell === 'string' ? keepLiteral(cell) : cell))),
        columns: header.map(() => ({ autoWidth: true })),
        freezePane: { rows: 1 },
      },
    ],
  });
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  return new Blob([new Uint8Array(bytes)], { type });
}

/**
 * The cells of the first sheet, as texts.
 *
 * @param mostRows further ones are left out
 * @throws an error of the library if it is no workbook
 */
export async function readWorkbook(bytes: Uint8Array, mostRows: number): Promise<string[][]> {
  const { sheets } = await readXlsx(bytes, { sheets: [0], maxRows: mostRows });
  return (sheets[0]?.rows ?? []).map((cells) => cells.map(toText));
}

function toText(cell: string | number | boolean | Date | null): string {
  if (cell === null) return '';
  if (cell instanceof Date) return toTimeText(cell);
  // A spreadsheet shows 15 digits: 0.1 + 0.2 is 0.3 there.
  return String(typeof cell === 'number' ? Number(cell.toPrecision(15)) : cell);
}

/** A day, or a day with a time of day. A sheet's times have no zone; the library says them as if in UTC. */
const toTimeText = (time: Date): string =>
  time
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replace('T00:00:00', '')
    .replace('T', ' ');
