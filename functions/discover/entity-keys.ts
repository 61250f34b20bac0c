import { existsSync, realpathSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DeclaredEntity, listEntities } from '#shared/db/entity.ts';
import type { FoundModule } from '../model.ts';

/** What a key begins with; `isWhole` if it has nothing else. */
export interface Beginning {
  text: string;
  isWhole: boolean;
}

/** A kind of record, with the beginnings of its keys: of the table's, and of those of each index. */
export interface FoundEntity {
  entity: DeclaredEntity['entity'];
  file: string;
  /** Folder that the path of the file begins in. */
  base: string;
  /** Undefined for the platform. */
  module: string | undefined;
  indexNames: string[];
  beginnings: Map<string, Beginning>;
}

/** The project of this file, whose platform the modules run on. */
const project = resolve(import.meta.dirname, '../..');

/** All entities of the platform and of the given modules. Tests declare others, which are left out. */
export function findEntities(root: string, modules: readonly FoundModule[]): FoundEntity[] {
  const folders = modules.map(({ home, manifest }) => ({
    module: manifest.name,
    folder: toRealPath(join(root, home)) + sep,
  }));
  return listEntities().flatMap(({ entity, declaredAt }) => {
    const path = findFile(declaredAt.stack ?? '');
    const { module } = folders.find(({ folder }) => path.startsWith(folder)) ?? {};
    const isPlatform = /^(?:shared|cli)[\\/]/.test(relative(project, path));
    if (module === undefined && !isPlatform) return [];
    const base = module === undefined ? project : toRealPath(root);
    const file = relative(base, path);
    const indexNames = Object.values(entity.indexes ?? {}).map(({ name }) => name);
    return { entity, file, base, module, indexNames, beginnings: readBeginnings(entity) };
  });
}

/** Node names a loaded file by its real path. */
const toRealPath = (path: string): string => (existsSync(path) ? realpathSync(path) : path);

/** The file of the first line of a stack: as a URL, or as a path if tests have loaded it. */
export function findFile(stack: string): string {
  const [, file = ''] = /(file:\/\/\/.+?\.ts|(?<=[( ])\/.+?\.ts)(?:\?[^:]*)?:\d+:\d+/.exec(stack) ?? [];
  return file.startsWith('file:') ? fileURLToPath(file) : file;
}

function readBeginnings(entity: DeclaredEntity['entity']): Map<string, Beginning> {
  const { indexes = {}, key } = entity;
  const entries: [string, (row: object) => unknown][] = [
    ['key', (row) => Object(Reflect.apply(key, entity, [row])).pk],
    ...Object.values(indexes).map((index): [string, (row: object) => unknown] => [
      index.name,
      (row) => Reflect.apply(index.pk, index, [row]),
    ]),
  ];
  return new Map(
    entries.flatMap(([name, read]): [string, Beginning][] => {
      const beginning = readBeginning(read);
      return beginning ? [[name, beginning]] : [];
    }),
  );
}

/** A row whose every attribute is the same value. */
const createProbe = (value: string): object =>
  new Proxy({}, { get: (_target, name) => (name === Symbol.toPrimitive ? () => value : value) });

/** Stands for all values that a key takes from a record. */
export const mark = '\u0000';
/** A record whose values are all {@link mark}. */
export const markProbe = createProbe(mark);
/** Some keys are made of a valid ID only, such as those that begin with its month. */
const idProbe = createProbe('01ARZ3NDEKTSV4RRFFQ69G5FAV');

/** Undefined for a key that a probe cannot make, such as one of a number. */
function readBeginning(read: (row: object) => unknown): Beginning | undefined {
  const made = tryKey(read, markProbe);
  if (made !== undefined) {
    const [text = ''] = made.split(mark);
    return { text, isWhole: !made.includes(mark) };
  }
  const text = tryKey(read, idProbe)?.replace(/[^#]*$/, '');
  return text ? { text, isWhole: false } : undefined;
}

function tryKey(read: (row: object) => unknown, row: object): string | undefined {
  try {
    const made = read(row);
    return typeof made === 'string' ? made : undefined;
  } catch {
    return undefined;
  }
}
