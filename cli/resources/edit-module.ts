import { parse } from '@babel/parser';
import { type ObjectExpression, traverseFast } from '@babel/types';

/** A module's source that is not of the usual form. */
export class UnusualSource extends Error {
  /** @param line where the source is unusual, from 1 */
  constructor(problem: string, line?: number) {
    super(line === undefined ? problem : `line ${line}: ${problem}`);
  }
}

/** The object of the only call of a function, as in `defineModule({ … })`. @throws UnusualSource */
function findCall(source: string, name: string): ObjectExpression {
  const found: ObjectExpression[] = [];
  traverseFast(parse(source, { sourceType: 'module', plugins: ['typescript'] }).program, (node) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return;
    const [argument] = node.arguments;
    if (node.callee.name === name && argument?.type === 'ObjectExpression') found.push(argument);
  });
  const [call, ...more] = found;
  if (call && more.length === 0) return call;
  throw new UnusualSource(`it has not one ${name}({ … })`);
}

function findProperty(object: ObjectExpression, name: string) {
  return object.properties.find(
    (property) =>
      property.type !== 'SpreadElement' &&
      ((property.key.type === 'Identifier' && property.key.name === name) ||
        (property.key.type === 'StringLiteral' && property.key.value === name)),
  );
}

type Ends = {
  start?: number | null | undefined;
  end?: number | null | undefined;
  loc?: { start: { line: number } } | null | undefined;
};

/** Adds a text before the closing bracket of an object or a list. */
function append(source: string, node: Ends, isEmpty: boolean, text: string): string {
  const end = (node.end ?? 0) - 1;
  const before = source.slice(0, end).trimEnd();
  const comma = isEmpty || before.endsWith(',') ? '' : ',';
  return `${before}${comma}\n${text}\n${source.slice(end)}`;
}

/** Whether an object of a call has an entry of this name. */
export function hasEntry(source: string, call: string, property: string, name: string): boolean {
  const found = findProperty(findCall(source, call), property);
  const value = found?.type === 'ObjectProperty' ? found.value : undefined;
  return value?.type === 'ObjectExpression' && findProperty(value, name) !== undefined;
}

/** The number of items in a list of a call; 0 without it. */
export function countItems(source: string, call: string, property: string): number {
  const found = findProperty(findCall(source, call), property);
  const value = found?.type === 'ObjectProperty' ? found.value : undefined;
  return value?.type === 'ArrayExpression' ? value.elements.length : 0;
}

/** Adds an entry to an object of a call, which is made if it is missing. @throws UnusualSource naming the line */
export function addEntry(source: string, call: string, property: string, entry: string): string {
  const object = findCall(source, call);
  const found = findProperty(object, property);
  if (!found) return append(source, object, object.properties.length === 0, `${property}: { ${entry} },`);
  const value = found.type === 'ObjectProperty' ? found.value : undefined;
  if (value?.type === 'ObjectExpression') return append(source, value, value.properties.length === 0, entry);
  throw new UnusualSource(`${property} is not written as { … }: add ${entry}`, found.loc?.start.line);
}

/** Adds an item to a list of a call, which is made if it is missing. @throws UnusualSource naming the line */
export function addItem(source: string, call: string, property: string, item: string): string {
  const object = findCall(source, call);
  const found = findProperty(object, property);
  if (!found) return append(source, object, object.properties.length === 0, `${property}: [${item}],`);
  const value = found.type === 'ObjectProperty' ? found.value : undefined;
  if (value?.type === 'ArrayExpression')
    return append(source, value, value.elements.length === 0, `${item},`);
  throw new UnusualSource(`${property} is not written as [ … ]: add ${item}`, found.loc?.start.line);
}

/** Adds names that a source imports; a name that it has already stays as it is. */
export function addImports(source: string, imports: ReadonlyMap<string, ReadonlySet<string>>): string {
  let changed = source;
  for (const [file, names] of imports) {
    const there = new RegExp(
      `import \\{([^}]*)\\} from '${file.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}';`,
    ).exec(changed);
    const known =
      there?.[1]
        ?.split(',')
        .map((name) => name.trim())
        .filter(Boolean) ?? [];
    const line = `import { ${[...new Set([...known, ...names])].join(', ')} } from '${file}';`;
    changed = there ? changed.replace(there[0], () => line) : `${line}\n${changed}`;
  }
  return changed;
}

/** Adds a statement to a method of a call's object. @throws UnusualSource naming the line */
export function addStatement(source: string, call: string, method: string, statement: string): string {
  const found = findProperty(findCall(source, call), method);
  if (found?.type === 'ObjectMethod') return append(source, found.body, true, statement);
  throw new UnusualSource(`${method} is no method { … }: add ${statement}`, found?.loc?.start.line);
}

/** Adds an entry to the object that a function of a call's object returns. @throws UnusualSource naming the line */
export function addReturned(source: string, call: string, name: string, entry: string): string {
  const found = findProperty(findCall(source, call), name);
  const value = found?.type === 'ObjectProperty' ? found.value : undefined;
  const body = value?.type === 'ArrowFunctionExpression' ? value.body : undefined;
  if (body?.type === 'ObjectExpression') return append(source, body, body.properties.length === 0, entry);
  throw new UnusualSource(`${name} does not return ({ … }): add ${entry}`, found?.loc?.start.line);
}
