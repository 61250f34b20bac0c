import { join, relative, sep } from 'node:path';
import { type DeclaredEntity, listEntities } from '#shared/db/entity.ts';
import { type FoundModule, modulesFolder } from './model.ts';

/** What a key begins with; `isWhole` if it has nothing else. */
interface Beginning {
  text: string;
  isWhole: boolean;
}

/** A kind of record, with the beginnings of its keys: of the table's, and of those of each index. */
interface Placed {
  file: string;
  /** Undefined for the platform. */
  module: string | undefined;
  indexNames: string[];
  beginnings: Map<string, Beginning>;
}

/** Stands for all values that a key takes from a record. */
export const mark = '\u0000';
/** A record whose values are all {@link mark}. */
export const probe: object = new Proxy(
  {},
  { get: (_target, name) => (name === Symbol.toPrimitive ? () => mark : mark) },
);

/** Problems of the records of modules: two indexes with one name, and keys that may be those of other records. */
export function checkEntities(root: string, modules: readonly FoundModule[]): string[] {
  const names = modules.map(({ manifest }) => manifest.name);
  // A module that the service needs may share records with the platform.
  const own = modules.flatMap(({ manifest }) => (manifest.isNeeded ? [] : manifest.name));
  const placed = listEntities().flatMap((declared) => place(declared, root, modules));
  const order = (module: string | undefined) => (module === undefined ? -1 : own.indexOf(module));
  return placed
    .filter(({ module }) => module !== undefined && names.includes(module))
    .flatMap((entity) => [
      ...checkIndexNames(entity),
      ...placed
        .filter(({ module }) => order(module) < order(entity.module))
        .flatMap((other) => compare(entity, other)),
    ]);
}

const checkIndexNames = ({ file, indexNames }: Placed): string[] =>
  [...new Set(indexNames.filter((name, at) => indexNames.indexOf(name) < at))].map(
    (name) =>
      `${file}: two indexes of an entity are on ${name}, so one list loses rows: use each of gsi1, gsi2 and gsi3 once`,
  );

/** Keys of an entity that begin as those of another one, or the other way round. */
function compare(entity: Placed, other: Placed): string[] {
  return [...entity.beginnings].flatMap(([name, own]) => {
    const found = other.beginnings.get(name);
    if (!found || !mayMeet(own, found)) return [];
    const kind = name === 'key' ? 'the key of an entity' : `the key of an entity in ${name}`;
    return `${entity.file}: ${kind} begins with "${own.text}", and that of ${other.file} with "${found.text}": begin it with the name of the module`;
  });
}

/** Whether a key of one kind may equal, or begin as, a key of the other. */
function mayMeet(own: Beginning, other: Beginning): boolean {
  if (own.isWhole && other.isWhole) return own.text === other.text;
  return (
    (!other.isWhole && own.text.startsWith(other.text)) || (!own.isWhole && other.text.startsWith(own.text))
  );
}

/** An entity with its place; none if it is of another project or of a module that is not enabled, as in tests. */
function place(
  { entity, declaredAt }: DeclaredEntity,
  root: string,
  modules: readonly FoundModule[],
): Placed[] {
  const path = findFile(declaredAt.stack ?? '');
  const owner = modules.find(({ home }) => path.startsWith(join(root, home, sep)));
  if (!owner && path.split(sep).includes(modulesFolder)) return [];
  const file = relative(root, path);
  const module = owner?.manifest.name;
  const { indexes = {}, key } = entity;
  const entries: [string, () => unknown][] = [
    ['key', () => Object(Reflect.apply(key, entity, [probe])).pk],
    ...Object.values(indexes).map((index): [string, () => unknown] => [
      index.name,
      () => Reflect.apply(index.pk, index, [probe]),
    ]),
  ];
  const beginnings = new Map(
    entries.flatMap(([name, read]): [string, Beginning][] => {
      const beginning = readBeginning(read);
      return beginning ? [[name, beginning]] : [];
    }),
  );
  return [{ file, module, indexNames: Object.values(indexes).map(({ name }) => name), beginnings }];
}

/** The file of the first line of a stack. */
export const findFile = (stack: string): string =>
  /(?:file:\/\/|[( ])(\/[^():?]+\.ts)/.exec(stack)?.[1] ?? '';

/** Undefined for a key that a probe cannot make, such as one of a number. */
function readBeginning(read: () => unknown): Beginning | undefined {
  try {
    const made = read();
    if (typeof made !== 'string') return undefined;
    const [text = ''] = made.split(mark);
    return { text, isWhole: !made.includes(mark) };
  } catch {
    return undefined;
  }
}
