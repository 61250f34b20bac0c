const plainNumber = /^[+-]?\d+(?:\.\d+)?$/;
/** A cell that begins so is a formula in a spreadsheet, in some languages also by full-width signs. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * One cell of a CSV file: quoted as RFC 4180 says and if it holds another separator, a formula defused by an apostrophe. Plain numbers stay numbers.
 */
export function toCsvCell(text: string): string {
  const safe = formula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line with its line break. */
export const toCsvLine = (cells: readonly string[]): string => `${cells.map(toCsvCell).join(',')}\r\n`;

/** Without it, spreadsheets do not read a file as UTF-8. */
export const byteOrderMark = '\uFEFF';

/** A file of lines. */
export const toCsvFile = (lines: readonly string[]): Blob =>
  new Blob([byteOrderMark, ...lines], { type: 'text/csv;charset=utf-8' });
