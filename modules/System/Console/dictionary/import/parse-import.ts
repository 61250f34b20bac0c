import * as z from 'zod/mini';
import { findDelimiter } from '#console/kit/sheets/csv.ts';
import { name, sort, status, itemValue as value } from '#shared/dict/schema.ts';

export const importFields = ['value', 'name', 'sort', 'status'] as const;
export type ImportField = (typeof importFields)[number];

export interface ImportItem {
  value: string;
  name: string;
  sort?: number;
  status?: 'enabled' | 'disabled';
}

/** One line of a file, or one entry of a JSON list. */
export interface ImportLine {
  /** Line in the file, from 1; in JSON, the number of the entry. */
  line: number;
  /** As it was read. */
  texts: Record<ImportField, string>;
  /** Undefined if the line has faults. */
  item?: ImportItem;
  /** Fields that do not fit, or `duplicate`. */
  faults: (ImportField | 'duplicate')[];
}

export class ImportError extends Error {
  readonly reason: 'json' | 'csv' | 'header';
  constructor(reason: ImportError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The parser of `csv-parse`, given from outside because the browser loads it late. */
export type ParseCsv = typeof import('csv-parse/sync').parse;

/** Reads items from CSV with a header, or from a JSON list of objects. @throws ImportError */
export function parseImport(text: string, parseCsv: ParseCsv): ImportLine[] {
  const lines = /^\s*[[{]/.test(text) ? readJson(text) : readCsv(text, parseCsv);
  const seen = new Set<string>();
  for (const line of lines) {
    const { value: given } = line.texts;
    if (seen.has(given)) {
      line.faults.push('duplicate');
      delete line.item;
    }
    seen.add(given);
  }
  return lines;
}

function readJson(text: string): ImportLine[] {
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list)) throw new Error('not a list');
    return list.map((entry, index) => toLine(index + 1, (field) => Object(entry)[field]));
  } catch (error) {
    throw new ImportError('json', String(Object(error).message));
  }
}

/** Names of columns that people write. */
const columns: Record<ImportField, readonly string[]> = {
  value: ['value', '值', '键值', '字典值', '数据值'],
  name: ['name', 'label', '名称', '标签', '字典名称', '数据名称'],
  sort: ['sort', '排序'],
  status: ['status', '状态'],
};

function readCsv(text: string, parseCsv: ParseCsv): ImportLine[] {
  const delimiter = findDelimiter(text);
  const options = { bom: true, info: true, relax_column_count: true, skip_empty_lines: true, delimiter };
  try {
    const rows = parseCsv<CsvRow>(text, { ...options, columns: toFields });
    return rows.map(({ record, info }) => toLine(info.lines, (field) => record[field]));
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError('csv', String(Object(error).message));
  }
}

interface CsvRow {
  record: Record<string, string>;
  info: { lines: number };
}

/** The field of each column; other columns are left out. @throws ImportError if a needed one is missing */
function toFields(header: readonly string[]): (ImportField | undefined)[] {
  const fields = header.map((title) => {
    const word = title.trim().toLowerCase();
    return importFields.find((field) => columns[field].includes(word));
  });
  if (fields.includes('value') && fields.includes('name')) return fields;
  throw new ImportError('header', header.join(', '));
}

const schemas = { value, name, sort, status };
const words: Record<string, string> = { 启用: 'enabled', 停用: 'disabled', 禁用: 'disabled' };

function toLine(line: number, read: (field: ImportField) => unknown): ImportLine {
  const texts = { value: '', name: '', sort: '', status: '' };
  const item: Record<string, unknown> = {};
  const faults: ImportLine['faults'] = [];
  for (const field of importFields) {
    texts[field] = String(read(field) ?? '').trim();
    const isLeftOut = texts[field] === '' && (field === 'sort' || field === 'status');
    if (isLeftOut) continue;
    const { success, data } = z.safeParse(schemas[field], toInput(field, texts[field]));
    if (success) item[field] = data;
    else faults.push(field);
  }
  const { success, data } = z.safeParse(itemSchema, item);
  return { line, texts, faults, ...(success && faults.length === 0 && { item: data }) };
}

function toInput(field: ImportField, text: string): unknown {
  if (field === 'sort') return /^[+-]?\d{1,9}$/.test(text) ? Number(text) : text;
  return field === 'status' ? (words[text] ?? text.toLowerCase()) : text;
}

const itemSchema = z.object({ value, name, sort: z.optional(sort), status: z.optional(status) });
