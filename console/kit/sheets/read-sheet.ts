import type { LocalisedText } from '#functions/console/description.ts';
import { formatBytes } from '../../fields/format.ts';
import { findDelimiter } from './csv.ts';
import { decodeText } from './decode-text.ts';
import { texts } from './texts.ts';

/** What an operator can mend in the file. */
export class FileProblem extends Error {
  /** What is wrong, with names of {@link params}. */
  readonly text: LocalisedText;
  readonly params: Readonly<Record<string, string | number>>;
  constructor(text: LocalisedText, params: FileProblem['params'] = {}) {
    super(text.en);
    this.text = text;
    this.params = params;
  }
}

const begins = (bytes: Uint8Array, ...start: number[]): boolean =>
  start.every((byte, at) => bytes[at] === byte);
const isZip = (bytes: Uint8Array): boolean => begins(bytes, 0x50, 0x4b, 3, 4);
/** The container of .xls, and of .xlsx with a password. */
const isCompound = (bytes: Uint8Array): boolean => begins(bytes, 0xd0, 0xcf, 0x11, 0xe0);

interface Limits {
  largestBytes: number;
  /** Rows of a workbook, with its header and empty ones. */
  mostRows: number;
}

/** The text of a file, or the rows of the first sheet of a workbook. @throws FileProblem */
export async function readSource(
  file: File,
  { largestBytes, mostRows }: Limits,
): Promise<{ text: string; encoding: string } | { rows: string[][] }> {
  if (file.size > largestBytes) throw new FileProblem(texts.too_large, { size: formatBytes(largestBytes) });
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (isCompound(bytes)) throw new FileProblem(texts.locked);
  if (isZip(bytes)) return { rows: await readRows(bytes, mostRows) };
  try {
    return decodeText(bytes);
  } catch {
    throw new FileProblem(texts.not_text);
  }
}

async function readRows(bytes: Uint8Array, mostRows: number): Promise<string[][]> {
  const { readWorkbook } = await import('./workbook.ts');
  const rows = await readWorkbook(bytes, mostRows + 1).catch((error) => {
    throw new FileProblem(texts.workbook, { message: messageOf(error) });
  });
  if (rows.length > mostRows) throw new FileProblem(texts.too_long, { max: mostRows });
  return rows;
}

/** The rows of a CSV file or of a workbook. @throws FileProblem */
export async function readSheet(file: File, limits: Limits): Promise<string[][]> {
  const source = await readSource(file, limits);
  if ('rows' in source) return source.rows;
  const { text } = source;
  const { parse } = await import('csv-parse/browser/esm/sync');
  try {
    return parse(text, { bom: true, relaxColumnCount: true, delimiter: findDelimiter(text) });
  } catch (error) {
    throw new FileProblem(texts.csv, { message: messageOf(error) });
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');
