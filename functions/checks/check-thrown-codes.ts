import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCatalogue } from '#shared/errors/catalogue.ts';
import type { FoundRoute, Manifest } from '../model.ts';
import { listErrorCodes } from '../openapi/failures.ts';
import type { Report } from '../scope.ts';

/** A part of a parsed source. */
type Node = Record<string, unknown>;

interface Codes {
  /** All codes that the file creates. */
  created: Set<string>;
  /** Those that the handler itself throws, so that the route answers them. */
  answered: Set<string>;
}

/** All error codes of the platform and of modules, with their status. */
export const listStatuses = (modules: Manifest['modules']): Record<string, number> =>
  Object.assign({}, errorCatalogue, ...modules.map(({ errors }) => errors));

/**
 * Codes that routes throw but do not declare. Only the route's own file is read, because what other files throw depends
 * on the call. A route that renders failures itself, or whose answers have no envelope, needs no list.
 *
 * @returns `warnings` for codes that the file may also catch, compare or hand to others
 */
export async function checkThrownCodes(
  root: string,
  { routes, modules }: Pick<Manifest, 'routes' | 'modules'>,
): Promise<Report> {
  const statuses = listStatuses(modules);
  const problems: string[] = [];
  const warnings: string[] = [];
  for (const found of routes) {
    const { renderFailure, reference } = found.route;
    if (renderFailure || reference?.body || reference?.passesErrors) continue;
    const declared = new Set(listErrorCodes(found, { statuses }));
    const isMissing = (code: string) => Object.hasOwn(statuses, code) && !declared.has(code);
    const { created, answered } = await readCodes(join(root, found.file), isMissing);
    for (const code of created) {
      if (answered.has(code)) problems.push(`${describe(found, code)}: add it to errors`);
      else warnings.push(`${describe(found, code)}: add it to errors if the route can answer it`);
    }
  }
  return { problems, warnings };
}

const describe = ({ file }: FoundRoute, code: string): string =>
  `${file}: it throws ${code}, which its errors do not list`;

/** The codes of a file that pass a filter. */
async function readCodes(file: string, isWanted: (code: string) => boolean): Promise<Codes> {
  const codes: Codes = { created: new Set(), answered: new Set() };
  const source = readFileSync(file, 'utf8');
  // The parser is loaded only if a text of the file looks like such a code, as in a comment.
  const quoted = [...source.matchAll(/['"`]([\w.]+)['"`]/g)];
  if (!quoted.some(([, code = '']) => isWanted(code))) return codes;
  const { parse } = await import('@swc/core');
  // Node has loaded the file. If the parser does not know its syntax, nothing is sure.
  const program = await parse(source, { syntax: 'typescript', target: 'esnext' }).catch(() => undefined);
  const note = (set: Set<string>, node: unknown) => {
    const code = readCode(node);
    if (code !== undefined && isWanted(code)) set.add(code);
  };
  for (const node of listNodes(program)) {
    note(codes.created, node);
    if (node.type !== 'ExportDefaultExpression') continue;
    for (const inner of listNodes(findHandler(node), isSurelyRun))
      if (inner.type === 'ThrowStatement') note(codes.answered, inner.argument);
  }
  return codes;
}

/** A node and all nodes in it. @param isEntered whether to go into a part, by its name */
function* listNodes(
  value: unknown,
  isEntered: (node: Node, name: string) => boolean = () => true,
): Generator<Node> {
  if (Array.isArray(value)) for (const each of value) yield* listNodes(each, isEntered);
  if (!isNode(value)) return;
  yield value;
  for (const [name, inner] of Object.entries(value))
    if (isEntered(value, name)) yield* listNodes(inner, isEntered);
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether the failures of a part reach the caller of its function: other functions and `try` may keep them. */
const isSurelyRun = ({ type, handler }: Node, name: string): boolean =>
  !/Function(?!Body)|Method|Class/.test(String(type)) &&
  !(type === 'TryStatement' && name === 'block' && handler);

/** The body of the route's handler, if it is written in place. */
function findHandler(exported: Node): unknown {
  for (const node of listNodes(exported)) {
    if (Object(node.key).value !== 'handler') continue;
    return Object(node.type === 'KeyValueProperty' ? node.value : node).body;
  }
  return undefined;
}

/** The code of `errors.create('x.y')` and `new AppError('x.y')`. */
function readCode(node: unknown): string | undefined {
  const { type, callee, arguments: given } = Object(node);
  const isCreated =
    (type === 'CallExpression' && Object(callee).property?.value === 'create') ||
    (type === 'NewExpression' && Object(callee).value === 'AppError');
  if (!isCreated || !Array.isArray(given)) return undefined;
  const { value, quasis, expressions } = Object(given[0]?.expression);
  const text: unknown = quasis?.length === 1 && expressions?.length === 0 ? quasis[0].cooked : value;
  return typeof text === 'string' ? text : undefined;
}
