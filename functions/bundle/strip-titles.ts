import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/** A call of `titled` up to its schema: the object literal before it holds at most two levels of others. */
const titlePattern = /\btitled\(\s*\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\},/g;

/**
 * Removes labels and hints from a source, without moving its lines.
 *
 * @throws Error with the call whose label cannot be removed
 */
export function stripTitles(source: string): string {
  const stripped = source.replace(titlePattern, (call) => `titled$(${call.replace(/[^\n]/g, '')}`);
  const [left] = /\btitled\(.*/.exec(stripped) ?? [];
  if (left) throw new Error(`write the label as an object literal without braces in its texts: ${left}`);
  return stripped.replaceAll('titled$(', 'titled(');
}

/**
 * Builds functions without the labels of fields, because they do not show them. Of each call the schema is left:
 * esbuild inlines a function that returns its only argument.
 */
export const withoutTitles: Plugin = {
  name: 'without-titles',
  setup(build) {
    build.onLoad({ filter: /[\\/]shared[\\/]schema[\\/]titled\.ts$/ }, () => ({
      contents: 'export function titled(schema) { return schema; }',
    }));
    build.onLoad({ filter: /[\\/](modules|shared)[\\/].*\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      if (!source.includes('titled(')) return undefined;
      try {
        return { contents: stripTitles(source), loader: 'ts' };
      } catch (error) {
        throw new Error(`${path}: ${error instanceof Error ? error.message : error}`);
      }
    });
  },
};
