import type { Field } from '#functions/console/description.ts';
import { localise } from '../../base/locale.ts';
import { formatBytes } from '../../fields/format.ts';
import { loadDictionaries } from '../../fields/names/dictionary.ts';
import { textContext } from '../../fields/use-text.ts';
import { decodeText } from '../../kit/files/decode-text.ts';
import { type ImportedLine, matchColumns, readLines } from './read-lines.ts';
import { keyOf } from './run-import.ts';
import { texts } from './texts.ts';

const largestBytes = 20 * 1024 ** 2;
export const mostLines = 20_000;

/** What an operator can mend in the file. */
export class FileProblem extends Error {}

const refuse = (text: keyof typeof texts, params: Record<string, unknown> = {}): FileProblem =>
  new FileProblem(localise(texts[text], params));

/** Spreadsheets of some languages separate by semicolons or tabs. */
function findDelimiter(text: string): string {
  const [first = ''] = text.split(/\r?\n/, 1);
  const parts = (separator: string) => first.split(separator).length;
  return [',', ';', '\t'].toSorted((a, b) => parts(b) - parts(a))[0] ?? ',';
}

async function readRows(file: File): Promise<{ text: string; rows: string[][] }> {
  if (file.size > largestBytes) throw refuse('too_large', { size: formatBytes(largestBytes) });
  const bytes = new Uint8Array(await file.arrayBuffer());
  const { parse } = await import('csv-parse/browser/esm/sync');
  let text: string;
  try {
    text = decodeText(bytes).text;
  } catch {
    throw refuse('not_text');
  }
  try {
    return { text, rows: parse(text, { bom: true, relaxColumnCount: true, delimiter: findDelimiter(text) }) };
  } catch (error) {
    throw refuse('csv', { message: error instanceof Error ? error.message : '' });
  }
}

/** The lines of a file. @throws FileProblem that says what to mend */
export async function readFile(
  file: File,
  fields: readonly Field[],
): Promise<{ lines: readonly ImportedLine[]; key: string; note: string }> {
  const [{ text, rows }] = await Promise.all([
    readRows(file),
    loadDictionaries(fields.flatMap(({ dictionary }) => dictionary ?? [])),
  ]);
  const [header = [], ...body] = rows;
  const columns = matchColumns(header, fields);
  const missing = columns.missing.map(({ label }) => localise(label)).join(', ');
  if (missing !== '') throw refuse('missing', { names: missing });
  const lines = readLines(body, columns, textContext);
  if (lines.length === 0) throw refuse('nothing');
  if (lines.length > mostLines) throw refuse('too_many', { n: lines.length, max: mostLines });
  const ignored = columns.ignored.join(', ');
  const note = ignored === '' ? '' : localise(texts.ignored, { names: ignored });
  return { lines, key: await keyOf(text), note };
}
