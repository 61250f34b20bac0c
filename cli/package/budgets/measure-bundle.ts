import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Budget, Bytes } from './budget.ts';
import { partOf } from './part-of.ts';
import { sumBytesBySource } from './sum-bytes.ts';

/** As esbuild writes a static import: at the beginning of a statement, without spaces. */
const staticImport = /(?:^|[;\n}])(?:import|export)(?:[^"'();]*from)?"\.\/([^"]+\.mjs)"/g;

/**
 * Weighs a bundle as it lies on disk, with its source maps.
 *
 * @param folder with `index.mjs` and its chunks
 */
export function measureBundle(folder: string): Budget {
  const files = readdirSync(folder).filter((file) => file.endsWith('.mjs'));
  const codes = new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
  const started = listStartFiles(codes);
  const bytes: Bytes = { start: 0, all: 0 };
  const parts: Budget['parts'] = {};
  for (const [file, code] of codes) {
    const add = (to: Bytes, count: number) => {
      to.all += count;
      if (started.has(file)) to.start += count;
    };
    add(bytes, Buffer.byteLength(code));
    for (const [part, count] of weighOnce(folder, file, code)) {
      parts[part] ??= { start: 0, all: 0 };
      add(parts[part], count);
    }
  }
  return { bytes, parts };
}

/** `index.mjs` and what it imports, not what it `import()`s. */
export function listStartFiles(codes: ReadonlyMap<string, string>): Set<string> {
  const files = new Set(['index.mjs']);
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
  const parts = weighParts(join(folder, `${file}.map`), code);
  if (file !== 'index.mjs') weighed.set(file, parts);
  return parts;
}

function weighParts(mapFile: string, code: string): Map<string, number> {
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
