const plainNumber = /^[+-]?\d+(?:\.\d+)?$/;
/** A cell that begins so is a formula in a spreadsheet. */
const formula = /^[=+\-@\t\r]/;

/**
 * One cell of a CSV file: quoted as RFC 4180 says, a formula defused by an apostrophe. Plain numbers stay numbers.
 */
export function toCsvCell(text: string): string {
  const safe = formula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line with its line break. */
export const toCsvLine = (cells: readonly string[]): string => `${cells.map(toCsvCell).join(',')}\r\n`;

/** Without it, spreadsheets do not read a file as UTF-8. */
export const byteOrderMark = '\uFEFF';
