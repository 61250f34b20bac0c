import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Typescript from 'typescript';

const ts: typeof Typescript = createRequire(import.meta.url)('typescript');

/** One small change of a source file. */
export interface Mutant {
  /** Path of the file, line and column, and the change: the same in every run. */
  id: string;
  file: string;
  /** Range of the text that is replaced. */
  start: number;
  end: number;
  text: string;
  kind: string;
  /** The innermost block around it: see `instrument`. */
  block: string;
}

type Change = [kind: string, text: string, node: Typescript.Node];

const flipped: Record<string, [kind: string, operator: string]> = {
  '===': ['comparison', '!=='],
  '!==': ['comparison', '==='],
  '<': ['comparison', '>='],
  '>': ['comparison', '<='],
  '<=': ['comparison', '>'],
  '>=': ['comparison', '<'],
  '&&': ['logic', '||'],
  '||': ['logic', '&&'],
};

function listChanges(node: Typescript.Node): Change[] {
  if (ts.isBinaryExpression(node)) return listOperatorChanges(node);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [['boolean', 'false', node]];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [['boolean', 'true', node]];
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    return [['boolean', node.operand.getText(), node]];
  }
  if (ts.isIfStatement(node)) return fixCondition(node.expression);
  if (ts.isConditionalExpression(node)) return fixCondition(node.condition);
  if (ts.isThrowStatement(node)) return [['throw', ';', node]];
  if (ts.isExpressionStatement(node)) {
    return [[ts.isAwaitExpression(node.expression) ? 'await' : 'statement', ';', node]];
  }
  if (ts.isStringLiteralLike(node) && node.text && !isName(node)) return [['string', "''", node]];
  if (ts.isNumericLiteral(node) && !isName(node)) return [['number', `(${node.getText()} + 1)`, node]];
  return [];
}

function listOperatorChanges({ operatorToken, left, right, parent }: Typescript.BinaryExpression): Change[] {
  const flip = flipped[operatorToken.getText()];
  if (!flip) return [];
  const [kind, operator] = flip;
  const changes: Change[] = [[kind, operator, operatorToken]];
  // A flipped operator beside another one would need brackets, so there a side is dropped only.
  if (kind !== 'logic') return changes;
  return [
    ...(ts.isBinaryExpression(parent) ? [] : changes),
    ['condition', left.getText(), left.parent],
    ['condition', right.getText(), right.parent],
  ];
}

const fixCondition = (condition: Typescript.Expression): Change[] => [
  ['condition', 'true', condition],
  ['condition', 'false', condition],
];

/** Whether it is the name of a property or of an imported module. */
const isName = (node: Typescript.Node): boolean =>
  (ts.isPropertyAssignment(node.parent) && node.parent.name === node) ||
  (ts.isCallExpression(node.parent) && node.parent.expression.kind === ts.SyntaxKind.ImportKeyword);

/** Types, imports and declarations without code. */
const hasNoCode = (node: Typescript.Node): boolean =>
  (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node);

const isExpressionOfArrow = (node: Typescript.Node): boolean =>
  !ts.isBlock(node) && node.parent && ts.isArrowFunction(node.parent) && node.parent.body === node;

/** Calls back for every node that runs, with the number of the block that it is in. */
function walk(text: string, visit: (node: Typescript.Node, block: number, isBlock: boolean) => void): void {
  let count = 0;
  const step = (node: Typescript.Node, outer: number) => {
    if (hasNoCode(node)) return;
    const isBlock = ts.isSourceFile(node) || ts.isBlock(node) || isExpressionOfArrow(node);
    const block = isBlock ? count++ : outer;
    visit(node, block, isBlock);
    ts.forEachChild(node, (child) => step(child, block));
  };
  step(ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true), 0);
}

/** All mutants of a file. */
export function listMutants(file: string, text: string): Mutant[] {
  const mutants: Mutant[] = [];
  walk(text, (node, block) => {
    for (const [kind, replacement, target] of listChanges(node)) {
      const [start, end] = [target.getStart(), target.getEnd()];
      const line = text.slice(0, start).split('\n').length;
      const column = start - text.lastIndexOf('\n', start - 1);
      const shown = `${shorten(text.slice(start, end))} -> ${shorten(replacement)}`;
      const id = `${file}:${line}:${column} ${kind}: ${shown}`;
      mutants.push({ id, file, start, end, text: replacement, kind, block: `${file}#${block}` });
    }
  });
  return mutants;
}

const shorten = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 80);

/** The source of a file, changed to append the name of each block to a log when it first runs. */
export function instrument(file: string, text: string, log: string): string {
  const insertions: [at: number, text: string][] = [];
  walk(text, (node, block, isBlock) => {
    const call = `__ran(${JSON.stringify(`${file}#${block}`)})`;
    if (!isBlock) return;
    if (isExpressionOfArrow(node)) insertions.push([node.getStart(), `(${call}, `], [node.getEnd(), ')']);
    else insertions.push([ts.isBlock(node) ? node.getStart() + 1 : 0, `${call};`]);
  });
  // The outer one of two nested arrows begins first; both end at the same place.
  insertions.sort(([a], [b]) => a - b);
  let [result, done] = ['', 0];
  for (const [at, insertion] of insertions) {
    result += text.slice(done, at) + insertion;
    done = at;
  }
  // A function declaration exists before the modules of an import cycle run.
  return `${createRecorder(log)} ${result}${text.slice(done)}`;
}

const recorder = join(import.meta.dirname, 'recorder.cjs');
const createRecorder = (log: string): string =>
  `function __ran(block) { (globalThis.__record ??= process.getBuiltinModule('node:module')` +
  `.createRequire('/')(${JSON.stringify(recorder)})(${JSON.stringify(log)}))(block); }`;
