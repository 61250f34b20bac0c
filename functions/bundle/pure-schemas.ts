import { posix } from 'node:path';
import { type CallExpression, type Expression, type Program, traverseFast } from '@babel/types';
import { type Edit, type ParsedSource, rangeOf } from './parse-source.ts';

/** Modules and folders whose functions only make values: schemas and their marks, addresses of media, settings. */
const makers = ['zod/mini', '#shared/schema', '#shared/media', '#shared/settings/group.ts'];

/**
 * Marks the schemas that a source makes when it is loaded, so that esbuild drops those that a function does not use,
 * with chains of `.check()` and `.register()` too.
 *
 * @param file its path from the project's root
 */
export function markSchemas({ tree }: ParsedSource, file: string): Edit[] {
  const names = findMakers(tree, file);
  const edits: Edit[] = [];
  traverseFast(tree, (node) => {
    // A statement is written for its effect; a function runs later, if at all.
    if (/Function|Class|^ObjectMethod$|^ExpressionStatement$|^ImportDeclaration$/.test(node.type))
      return traverseFast.skip;
    if (node.type === 'CallExpression' && isMade(node, names)) {
      const [start, end] = rangeOf(node);
      edits.push({ range: [start, start], text: '(/* @__PURE__ */ (' }, { range: [end, end], text: '))' });
    }
    return undefined;
  });
  return edits;
}

/** The local names of what a file imports of makers. */
function findMakers({ body }: Program, file: string): Set<string> {
  const imports = body.flatMap((each) => (each.type === 'ImportDeclaration' ? each : []));
  const ofMakers = imports.filter(({ source }) => {
    const name = toSpecifier(source.value, file);
    return makers.includes(name) || makers.includes(posix.dirname(name));
  });
  return new Set(ofMakers.flatMap(({ specifiers }) => specifiers.map(({ local }) => local.name)));
}

/** Every file by one name: `./text.ts` beside `#shared/schema/list.ts` is `#shared/schema/text.ts`. */
const toSpecifier = (specifier: string, file: string): string =>
  specifier.startsWith('.') ? `#${posix.join(posix.dirname(file), specifier)}` : specifier;

/** Calls that do more than make a value: they read one, which may fail, or change a registry or the library. */
const others = /^(?:(?:safe)?(?:parse|decode|encode)(?:async)?|add|config)$/i;

/** Whether a call only makes a value: a chain such as `z.string().check(…)`, which begins with a maker. */
function isMade({ callee }: CallExpression, names: ReadonlySet<string>): boolean {
  let node: CallExpression['callee'] | Expression = callee;
  while (node.type === 'MemberExpression' || node.type === 'CallExpression') {
    if (node.type === 'CallExpression') {
      node = node.callee;
      continue;
    }
    if (node.property.type !== 'Identifier' || others.test(node.property.name)) return false;
    node = node.object;
  }
  return node.type === 'Identifier' && names.has(node.name);
}
