import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import type { Plugin } from 'esbuild';
import { applyEdits, type ParsedSource, parseSource } from './parse-source.ts';
import { markSchemas } from './pure-schemas.ts';
import { findTitles } from './strip-titles.ts';

/**
 * A source as functions hold it, its lines in their places.
 *
 * @param file its path from the project's root
 * @throws Error with the call whose label cannot be removed
 */
export function leanSource(source: ParsedSource, file: string): string {
  const titles = findTitles(source);
  const isTitle = (place: number) => titles.some(([start, end]) => start <= place && place < end);
  const marks = markSchemas(source, file).filter(({ range: [place] }) => !isTitle(place));
  return applyEdits(source.code, [...titles.map((range) => ({ range, text: '' })), ...marks]);
}

/**
 * Builds functions without the labels of fields, because they do not show them, and without schemas that they do not
 * use: docs/decisions/0024-labels-on-schemas.md and 0042-build-by-syntax-tree.md have the figures. Only the schema of
 * each call is left: esbuild inlines a function that returns its only argument.
 */
export const leanSchemas: Plugin = {
  name: 'lean-schemas',
  setup(build) {
    const root = build.initialOptions.absWorkingDir ?? process.cwd();
    build.onLoad({ filter: /[\\/]shared[\\/]schema[\\/]titled\.ts$/ }, () => ({
      contents: `
        export function titled(schema) { return schema; }
        export function addHints() {}
        export function hintsOf() { return {}; }`,
    }));
    build.onLoad({ filter: /[\\/](modules|shared)[\\/].*\.ts$/ }, ({ path }) => {
      if (!/titled|zod\/mini/.test(readFileSync(path, 'utf8'))) return undefined;
      try {
        const file = relative(root, path).split(sep).join('/');
        return { contents: leanSource(parseSource(path), file), loader: 'ts' };
      } catch (error) {
        throw new Error(`${path}: ${error instanceof Error ? error.message : error}`);
      }
    });
  },
};
