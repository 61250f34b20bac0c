import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Budget, Bytes } from './budget.ts';
import { partOf } from './part-of.ts';
import { sumBytesBySource } from './sum-bytes.ts';

/** As esbuild writes a static import: at the beginning of a statement, without spaces. */
const staticImport = /(?:^|[;\n}])(?:import|export)(?:[^"'();]*from)?"\.\/([^"]+\.mjs)"/g;
const dynamicImport = /\bimport\("\.\/([^"]+\.mjs)"\)/g;

/**
 * Weighs a bundle as it lies on disk, with its source maps.
 *
 * @param folder where its files lie side by side, maybe with those of other bundles
 * @param entry name of its first file
 */
export function measureBundle(folder: string, entry = 'index.mjs'): Budget {
  const codes = readBundle(folder, entry);
  const started = listStartFiles(codes, entry);
  const bytes: Bytes = { start: 0, all: 0 };
  const parts: Budget['parts'] = {};
  for (const [file, code] of codes) {
    const add = (to: Bytes, count: number) => {
      to.all += count;
      if (started.has(file)) to.start += count;
    };
    add(bytes, Buffer.byteLength(code));
    for (const [part, count] of file === entry ? weigh(folder, file, code) : weighOnce(folder, file, code)) {
      parts[part] ??= { start: 0, all: 0 };
      add(parts[part], count);
    }
  }
  return { bytes, parts };
}

/** The files of a bundle and their code: the entry, and all that it and they import. */
export function readBundle(folder: string, entry: string): Map<string, string> {
  const codes = new Map<string, string>();
  const files = new Set([entry]);
  for (const file of files) {
    const code = readFileSync(join(folder, file), 'utf8');
    codes.set(file, code);
    for (const pattern of [staticImport, dynamicImport]) {
      for (const [, name = ''] of code.matchAll(pattern)) files.add(name);
    }
  }
  return codes;
}

/** The entry and what it imports, not what it `import()`s. */
export function listStartFiles(codes: ReadonlyMap<string, string>, entry = 'index.mjs'): Set<string> {
  const files = new Set([entry]);
  for (const file of files) {
    for (const [, name = ''] of (codes.get(file) ?? '').matchAll(staticImport)) {
      if (codes.has(name)) files.add(name);
    }
  }
  return files;
}

/** What chunks weigh; their names hold a hash of their content, and many functions have the same. */
const weighed = new Map<string, Map<string, number>>();

function weighOnce(folder: string, file: string, code: string): Map<string, number> {
  const known = weighed.get(file);
  if (known) return known;
  const parts = weigh(folder, file, code);
  weighed.set(file, parts);
  return parts;
}

function weigh(folder: string, file: string, code: string): Map<string, number> {
  const mapFile = join(folder, `${file}.map`);
  const parts = new Map<string, number>();
  if (!existsSync(mapFile)) return parts;
  const { sources, mappings }: { sources: string[]; mappings: string } = JSON.parse(
    readFileSync(mapFile, 'utf8'),
  );
  for (const [index, count] of sumBytesBySource(code, mappings)) {
    const part = partOf(sources[index] ?? '');
    parts.set(part, (parts.get(part) ?? 0) + count);
  }
  return parts;
}
