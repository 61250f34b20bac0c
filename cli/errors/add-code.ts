import { parse } from '@babel/parser';
import { type ObjectExpression, traverseFast } from '@babel/types';

export interface NewCode {
  code: string;
  status: number;
  /** When it is answered, for `docs/errors.md`. */
  when: string;
}

const emptyErrors = `import { defineErrors } from '#shared/errors/app-error.ts';

export default defineErrors({});
`;
const lineWidth = 110;

/**
 * Adds a code to the source of an `errors.ts`, as its last one.
 *
 * @param source undefined if the file does not exist
 * @throws Error if the source declares its codes in another way; SyntaxError if it cannot be parsed
 */
export function addCode(source: string | undefined, added: NewCode): string {
  const changed = insertCode(source, added);
  // A comment between the last code and its comma leads to two commas.
  findCodes(changed);
  return changed;
}

function insertCode(source: string | undefined, added: NewCode): string {
  const code = source ?? emptyErrors;
  const codes = findCodes(code);
  const last = codes.properties.at(-1);
  const end = (codes.end ?? 0) - 1;
  if (!last) return `${code.slice(0, (codes.start ?? 0) + 1)}\n${renderCode(added)}${code.slice(end)}`;
  const lastEnd = last.end ?? 0;
  // The comment beside the last code stays there.
  const rest = code.slice(lastEnd, end);
  const comma = /^\s*,/.test(rest) ? '' : ',';
  const between = rest.replace(/\s*$/, '\n');
  return `${code.slice(0, lastEnd)}${comma}${between}${renderCode(added)}${code.slice(end)}`;
}

/** A line, with the comment above it if it would be too long. */
function renderCode({ code, status, when }: NewCode): string {
  const entry = `  '${code}': ${status},`;
  const line = `${entry} // ${when}`;
  return line.length <= lineWidth ? `${line}\n` : `  // ${when}\n${entry}\n`;
}

function findCodes(code: string): ObjectExpression {
  const found: ObjectExpression[] = [];
  traverseFast(parse(code, { sourceType: 'module', plugins: ['typescript'] }).program, (node) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return;
    const [codes] = node.arguments;
    if (node.callee.name === 'defineErrors' && codes?.type === 'ObjectExpression') found.push(codes);
  });
  const [codes, ...more] = found;
  if (codes && more.length === 0) return codes;
  throw new Error('it has no list of codes: write export default defineErrors({ … })');
}

/** Adds a message to a file of `lang/`. @param source undefined if the file does not exist */
export const addMessage = (source: string | undefined, key: string, text: string): string =>
  `${JSON.stringify({ ...JSON.parse(source ?? '{}'), [key]: text }, null, 2)}\n`;
