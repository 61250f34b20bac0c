import { readFileSync } from 'node:fs';
import { parse } from '@babel/parser';
import type { Program } from '@babel/types';

/** A source and its syntax tree. */
export interface ParsedSource {
  code: string;
  tree: Program;
}

/** Part of a code: from the first offset up to the second one. */
export type Range = readonly [start: number, end: number];

const parsed = new Map<string, ParsedSource>();

/** Parses a file, once for all functions that it is bundled into. @throws SyntaxError */
export function parseSource(file: string): ParsedSource {
  const code = readFileSync(file, 'utf8');
  const known = parsed.get(file);
  if (known?.code === code) return known;
  const plugins = file.endsWith('.ts') ? (['typescript'] as const) : [];
  const result = { code, tree: parse(code, { sourceType: 'module', plugins: [...plugins] }).program };
  parsed.set(file, result);
  return result;
}

/** The range of a node. */
export const rangeOf = ({ start, end }: { start?: number | null; end?: number | null }): Range => [
  start ?? 0,
  end ?? 0,
];

/** Another text for part of a code. */
export interface Edit {
  range: Range;
  text: string;
}

/** Applies edits that do not overlap; the rest of the code keeps its lines. */
export function applyEdits(code: string, edits: readonly Edit[]): string {
  let [left, at] = ['', 0];
  for (const { range, text } of edits.toSorted((a, b) => a.range[0] - b.range[0])) {
    const [start, end] = range;
    const lines = code.slice(start, end).split('\n').length - 1;
    left += code.slice(at, start) + text + '\n'.repeat(lines);
    at = end;
  }
  return left + code.slice(at);
}

/** Removes ranges that do not overlap from a code. */
export const removeRanges = (code: string, ranges: readonly Range[]): string =>
  applyEdits(
    code,
    ranges.map((range) => ({ range, text: '' })),
  );
