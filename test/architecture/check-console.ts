import { createRequire } from 'node:module';
import { posix } from 'node:path';
import type * as Typescript from 'typescript';
import type { Sources } from './check-imports.ts';
import { resolveImport } from './check-imports.ts';

// The compiler that checks the console; the newer one has no parser to call.
const ts: typeof Typescript = createRequire(__filename)('typescript');

const limits = { fileLines: 250, functionLines: 60, folderFiles: 16 };

/** Files and functions that are too long, and folders with too many files. @param lengths lines of the whole files */
export function checkSizes(sources: Sources, lengths: Readonly<Record<string, number>>): string[] {
  const long = Object.entries(lengths).filter(([, lines]) => lines > limits.fileLines);
  const folders = Map.groupBy(Object.keys(sources), (file) => posix.dirname(file));
  return [
    ...long.map(([file, lines]) => `${file} has ${lines} lines`),
    ...Object.entries(sources).flatMap(([file, source]) => findLongFunctions(file, source)),
    ...[...folders]
      // The specification puts all tools of a module into one folder.
      .filter(
        ([folder, files]) =>
          files.length > limits.folderFiles && !/^modules\/[^/]+\/(?:Ai|Mcp)\/Tools$/.test(folder),
      )
      .map(([folder, files]) => `${folder} has ${files.length} files`),
  ];
}

function findLongFunctions(file: string, source: string): string[] {
  const tree = parse(file, source);
  const lineOf = (place: number) => tree.getLineAndCharacterOfPosition(place).line;
  const found: string[] = [];
  function visit(node: Typescript.Node): void {
    const lines = lineOf(node.end) - lineOf(node.getStart(tree)) + 1;
    if (ts.isFunctionLike(node) && lines > limits.functionLines) {
      found.push(`${file}:${lineOf(node.getStart(tree)) + 1} is a function of ${lines} lines`);
    }
    ts.forEachChild(node, visit);
  }
  visit(tree);
  return found;
}

const parse = (file: string, source: string): Typescript.SourceFile =>
  ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);

/**
 * Exported values that no other file imports, and files that none does. Types may be exported for a signature.
 *
 * @param users further sources that import them, such as tests
 * @param isEntry whether a tool reads the file by its place
 */
export function findUnused(sources: Sources, users: Sources, isEntry: (file: string) => boolean): string[] {
  const used = new Set(
    Object.entries({ ...sources, ...users }).flatMap(([file, source]) => listUses(file, source)),
  );
  return Object.entries(sources).flatMap(([file, source]) => {
    if (isEntry(file)) return [];
    if (![...used].some((use) => use.startsWith(`${file}#`))) return [`${file} is not imported`];
    if (used.has(`${file}#*`)) return [];
    return listExports(parse(file, source))
      .filter((name) => !used.has(`${file}#${name}`))
      .map((name) => `${file} exports ${name}, which no other file imports`);
  });
}

/** What a file imports, as `path#name`; `#*` for all of a file. */
function listUses(file: string, source: string): string[] {
  const tree = parse(file, source);
  const found: string[] = [];
  const add = (specifier: Typescript.Node | undefined, names: readonly string[]) => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return;
    const to = resolveImport(file, specifier.text);
    if (to !== undefined) found.push(...names.map((name) => `${to}#${name}`));
  };
  function visit(node: Typescript.Node): void {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, namesOf(node.importClause));
    if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, ['*']);
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, ['*']);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], ['*']);
    ts.forEachChild(node, visit);
  }
  visit(tree);
  return found;
}

function namesOf(clause: Typescript.ImportClause | undefined): string[] {
  const bindings = clause?.namedBindings;
  if (bindings && ts.isNamespaceImport(bindings)) return ['*'];
  const named = bindings?.elements.map(({ name, propertyName }) => (propertyName ?? name).text) ?? [];
  return clause?.name || named.length === 0 ? [...named, 'default'] : named;
}

function listExports(tree: Typescript.SourceFile): string[] {
  return tree.statements.flatMap((statement) => {
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    const isExported = modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported || modifiers.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.flatMap(({ name }) =>
        ts.isIdentifier(name) ? [name.text] : name.elements.flatMap((each) => each.getText(tree)),
      );
    const isNamed = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
    return isNamed && statement.name ? [statement.name.text] : [];
  });
}
