import { parse as parsePath } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { parse as parseCsv } from 'csv-parse/sync';
import { LineCounter, parseDocument } from 'yaml';
import * as z from 'zod/mini';
import { getItems } from '#shared/db/items.ts';
import { dictEntries, listCachedTypes } from '#shared/dict/cache.ts';
import { type ImportItem, importDictItems, importItem, importModes } from '#shared/dict/import.ts';
import { dictTypeKey } from '#shared/dict/read-schema.ts';
import { maxImportItems } from '#shared/dict/schema.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { validate } from '#shared/i18n/validate.ts';
import { label } from '#shared/schema/marks.ts';
import { createCommand, UsageError } from '../command.ts';
import { useEnvironment } from '../environment.ts';
import { readText } from '../read-text.ts';
import { recordCommand } from '../record-command.ts';
import { translateDetails } from '../translate.ts';

export const dictClear = createCommand('dict:clear', 'clear the cache of dictionary types')
  .argument('[type...]', 'keys of the types; without any, all types')
  .action(async (types) => {
    useEnvironment();
    await assertKnown(types);
    const typeKeys = types.length > 0 ? types : await listCachedTypes();
    const isCleared = await dictEntries.invalidate(typeKeys);
    if (!isCleared) throw new Error('The cache cannot be reached: nothing was cleared');
    console.log(`Cleared: ${typeKeys.join(', ') || 'nothing was cached'}`);
  });

/** @throws Error naming the types that are neither in the database nor in the cache */
async function assertKnown(typeKeys: readonly string[]): Promise<void> {
  const stored = await getItems([...new Set(typeKeys)].map((type_key) => dictTypeKey({ type_key })));
  const missing = typeKeys.filter((typeKey) => !stored.some(({ sk }) => sk === typeKey));
  if (missing.length === 0) return;
  // The cache can still hold a deleted type.
  const cached = await listCachedTypes();
  const unknown = missing.filter((typeKey) => !cached.includes(typeKey));
  if (unknown.length > 0) throw new Error(`There is no dictionary type ${unknown.join(', ')}`);
}

/** As the body of `data/import`, but refusals name the item with a duplicate value. */
const fileItems = z.array(importItem).check(
  z.maxLength(maxImportItems),
  z.check(({ value: items, issues }) => {
    const seen = new Set<string>();
    for (const [index, { value }] of items.entries()) {
      const issue = { code: 'custom' as const, message: 'rule.duplicate', input: value };
      if (seen.has(value)) issues.push({ ...issue, path: [index, 'value'] });
      seen.add(value);
    }
  }),
);

/** As the audit log keeps it. */
const importInput = z.object({ type_key: label(z.string()), items: fileItems, mode: z.enum(importModes) });

const columns = ['name', 'value', 'sort', 'status'];
/** Most refusals that are printed. */
const shownRefusals = 100;

export const dictImport = createCommand(
  'dict:import',
  'add and change items of a dictionary type from a file',
)
  .argument(
    '<file>',
    'CSV with the columns name, value, sort, status, or JSON as of data/import; - for standard input',
  )
  .option('--type <KEY>', 'key of the type; by default the name of the file without its extension')
  .addOption(
    new Option('--mode <MODE>', 'replace also removes items that are not in the file')
      .choices(importModes)
      .default('merge' as const),
  )
  .action(async (file, { type, mode }) => {
    const typeKey = type ?? (file === '-' ? undefined : parsePath(file).name);
    if (typeKey === undefined) throw new UsageError('Standard input has no name: add --type');
    const items = readItems(await readText(file, ': save it as "CSV UTF-8"'));
    useEnvironment();
    const input = { type_key: typeKey, items, mode };
    const { added, changed, removed } = await recordCommand('dict:import', importInput, input, () =>
      importDictItems(typeKey, items, mode),
    ).catch((error) => {
      if (!(error instanceof AppError) || error.code !== 'dict.type_not_found') throw error;
      throw new Error(`There is no dictionary type ${typeKey}`, { cause: error });
    });
    console.log(`Imported into ${typeKey}: ${added} added, ${changed} changed, ${removed} removed`);
  });

/** Parses the items of a file. @throws Error naming line and field of each invalid value */
export function readItems(text: string): ImportItem[] {
  const { items, lineOf } = /^\s*[[{]/.test(text) ? readJson(text) : readCsv(text);
  const { value, issues } = validate(fileItems, items, 'items');
  if (!issues) return value;
  const refusals = translateDetails(issues.slice(0, shownRefusals)).map(({ path, message }) => {
    const [, index, ...field] = path.split('.');
    const line = index === undefined ? undefined : lineOf(Number(index));
    return [line === undefined ? path : [`line ${line}`, ...field].join(', '), message].join(': ');
  });
  const rest = issues.length - shownRefusals;
  const more = rest > 0 ? [`and ${rest} more`] : [];
  throw new Error(['Nothing was imported:', ...refusals, ...more].join('\n  '));
}

function readJson(text: string) {
  try {
    return { items: JSON.parse(text), lineOf: (index: number) => findLine(text, index) };
  } catch (error) {
    throw new Error(`The file is not JSON: ${Object(error).message}`, { cause: error });
  }
}

/** The first line of an item in a JSON list. The YAML parser also reads JSON, and knows lines. */
function findLine(text: string, index: number): number | undefined {
  const lineCounter = new LineCounter();
  const node = parseDocument(text, { lineCounter }).getIn([index], true);
  const [offset] = Object(node).range ?? [];
  return offset === undefined ? undefined : lineCounter.linePos(offset).line;
}

function readCsv(text: string) {
  const rows: { record: Record<string, string>; info: { lines: number } }[] = parseCsv(text, {
    columns: checkHeader,
    info: true,
    skip_empty_lines: true,
  });
  if (rows.length === 0) checkHeader(text.split(/\r?\n/)[0]?.split(',') ?? []);
  return {
    items: rows.map(({ record }) => toItem(record)),
    lineOf: (index: number) => rows[index]?.info.lines,
  };
}

function checkHeader(header: string[]): string[] {
  const unknown = header.find((column) => !columns.includes(column));
  const missing = ['name', 'value'].find((column) => !header.includes(column));
  if (unknown === undefined && missing === undefined) return header;
  const fault = missing === undefined ? `"${unknown}" is not a column` : `the column "${missing}" is missing`;
  throw new Error(`Line 1 names the columns (${columns.join(', ')}): ${fault}`);
}

/** Converts a row to an item as in JSON. An empty cell is an absent field. */
const toItem = ({ sort, status, ...texts }: Record<string, string>): Record<string, unknown> => ({
  ...texts,
  ...(sort && { sort: /^-?\d+$/.test(sort) ? Number(sort) : sort }),
  ...(status && { status }),
});
