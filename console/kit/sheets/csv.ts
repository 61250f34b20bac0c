/** Whether a text is a number that stays one in every spreadsheet. */
export const isPlainNumber = (text: string): boolean => /^[+-]?\d+(?:\.\d+)?$/.test(text);
/** A cell that begins so is a formula in a spreadsheet, in some languages also by full-width signs. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

/** A cell with the quotes of RFC 4180, also if it holds another separator. */
const quote = (text: string): string => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The rows of a workbook as CSV that only the console reads: formulas stay as they are. */
export const toPlainCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => cells.map(quote).join(',')).join('\n');

/** One cell of a CSV file: quoted, a formula defused by an apostrophe. Plain numbers stay numbers. */
export function toCsvCell(text: string): string {
  const safe = formula.test(text) && !isPlainNumber(text) ? `'${text}` : text;
  return quote(safe);
}

/** One line with its line break. */
export const toCsvLine = (cells: readonly string[]): string => `${cells.map(toCsvCell).join(',')}\r\n`;

/** Without it, spreadsheets do not read a file as UTF-8. */
export const byteOrderMark = '\uFEFF';

/** A file of lines. */
export const toCsvFile = (lines: readonly string[]): Blob =>
  new Blob([byteOrderMark, ...lines], { type: 'text/csv;charset=utf-8' });

/** What separates the cells of a text. Spreadsheets write semicolons or tabs in some languages. */
export function findDelimiter(text: string): string {
  const [first = ''] = text.split(/\r?\n/, 1);
  const parts = (separator: string) => first.split(separator).length;
  return [',', ';', '\t'].toSorted((a, b) => parts(b) - parts(a))[0] ?? ',';
}
