import { readFileSync } from 'node:fs';
import { type CallExpression, type Program, traverseFast } from '@babel/types';
import type { Plugin } from 'esbuild';
import { type ParsedSource, parseSource, type Range, rangeOf, removeRanges } from './parse-source.ts';

/**
 * Removes labels and hints from a source, without moving its lines.
 *
 * @throws Error with the call whose label cannot be removed
 */
export function stripTitles({ code, tree }: ParsedSource): string {
  const name = findLocalName(tree);
  if (name === undefined) return code;
  const labels: Range[] = [];
  traverseFast(tree, (node) => {
    if (node.type === 'ImportDeclaration') return traverseFast.skip;
    if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === name) {
      labels.push(findLabel(code, node));
    }
    return undefined;
  });
  return removeRanges(code, labels);
}

/** The name of `titled` in a file; undefined if the file does not import it. */
function findLocalName({ body }: Program): string | undefined {
  const specifiers = body.flatMap((each) => (each.type === 'ImportDeclaration' ? each.specifiers : []));
  const found = specifiers.find(
    (each) =>
      each.type === 'ImportSpecifier' &&
      each.imported.type === 'Identifier' &&
      each.imported.name === 'titled',
  );
  return found?.local.name;
}

/** The first argument of a call, up to the schema and the comment before it, which may be `@__PURE__`. */
function findLabel(code: string, call: CallExpression): Range {
  const [label, schema] = call.arguments;
  if (label?.type === 'ObjectExpression' && schema) {
    return [rangeOf(label)[0], rangeOf(schema.leadingComments?.[0] ?? schema)[0]];
  }
  throw new Error(`write the label as an object literal: ${code.slice(...rangeOf(call))}`);
}

/**
 * Builds functions without the labels of fields, because they do not show them: 1,400 bytes of the start of a function
 * on average (104 functions). Only the schema of each call is left: esbuild inlines a function that returns its only
 * argument.
 */
export const withoutTitles: Plugin = {
  name: 'without-titles',
  setup(build) {
    build.onLoad({ filter: /[\\/]shared[\\/]schema[\\/]titled\.ts$/ }, () => ({
      contents: `
        export function titled(schema) { return schema; }
        export function addHints() {}
        export function hintsOf() { return {}; }`,
    }));
    build.onLoad({ filter: /[\\/](modules|shared)[\\/].*\.ts$/ }, ({ path }) => {
      if (!readFileSync(path, 'utf8').includes('titled')) return undefined;
      try {
        return { contents: stripTitles(parseSource(path)), loader: 'ts' };
      } catch (error) {
        throw new Error(`${path}: ${error instanceof Error ? error.message : error}`);
      }
    });
  },
};
