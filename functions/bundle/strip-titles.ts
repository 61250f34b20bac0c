import { type CallExpression, type Program, traverseFast } from '@babel/types';
import { type ParsedSource, type Range, rangeOf } from './parse-source.ts';

/**
 * Finds labels and hints in a source.
 *
 * @throws Error with the call whose label cannot be removed
 */
export function findTitles({ code, tree }: ParsedSource): Range[] {
  const name = findLocalName(tree);
  const labels: Range[] = [];
  if (name === undefined) return labels;
  traverseFast(tree, (node) => {
    if (node.type === 'ImportDeclaration') return traverseFast.skip;
    if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === name) {
      labels.push(findLabel(code, node));
    }
    return undefined;
  });
  return labels;
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
