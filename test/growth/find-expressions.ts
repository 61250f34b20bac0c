import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { projectRoot } from '../support/local-server.ts';

/** A regular expression of the product. */
export interface Expression {
  file: string;
  source: string;
  flags: string;
}

/** What the sources of the product hold. */
export interface FoundExpressions {
  /** Those that are written between slashes. */
  literals: Expression[];
  /** Files that make some with `new RegExp`. */
  makers: string[];
}

/** Folders whose code runs in functions. */
const folders = ['shared', 'modules'];

/** Finds every regular expression in the code that runs in functions. */
export function findExpressions(): FoundExpressions {
  const found: FoundExpressions = { literals: [], makers: [] };
  const files = folders.flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `${folder}/${file}`),
  );
  for (const file of files.sort()) collect(file, found);
  return found;
}

function collect(file: string, found: FoundExpressions): void {
  const text = readFileSync(join(projectRoot, file), 'utf8');
  const makers = new Set<string>();
  walk(parseSync(text, { syntax: 'typescript' }), (node) => {
    if (node.type === 'RegExpLiteral') {
      found.literals.push({ file, source: String(node.pattern), flags: String(node.flags) });
    }
    const isCall = node.type === 'NewExpression' || node.type === 'CallExpression';
    if (isCall && Object(node.callee).value === 'RegExp') makers.add(file);
  });
  found.makers.push(...makers);
}

function walk(node: unknown, visit: (node: Record<string, unknown>) => void): void {
  if (typeof node !== 'object' || node === null) return;
  visit({ ...node });
  for (const each of Object.values(node)) walk(each, visit);
}
