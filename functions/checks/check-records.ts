import type { Route } from '#shared/http/route.ts';
import { type FoundEntity, findEntities } from '../discover/entity-keys.ts';
import type { Declarations } from '../model.ts';
import type { Report } from '../scope.ts';

/** A declaration that names a kind of record for the audit log. */
interface Named {
  file: string;
  /** `its records of the folder "case"`, for the message. */
  what: string;
  kind: string;
  /** The module that names it, if the name must be that of a known record. */
  module?: string;
}

/**
 * Names of records for the audit log that differ from those of the writes: half of a history would stand under another
 * name.
 *
 * @returns `warnings` for names of no known record, because a module may store records without an entity
 */
export function checkRecords(root: string, found: Declarations): Report {
  const entities = findEntities(root, found.modules);
  const known = new Map<string, string>();
  for (const entity of entities) {
    const kind = readKind(entity);
    if (kind !== undefined) known.set(kind, entity.file);
  }
  const problems: string[] = [];
  const warnings: string[] = [];
  for (const { file, what, kind, module } of listNamed(found)) {
    if (known.has(kind)) continue;
    const meant = [...known].find(([each]) => toLetters(each) === toLetters(kind));
    const own = entities.flatMap((entity) => (entity.module === module ? (readKind(entity) ?? []) : []));
    if (meant)
      problems.push(
        `${file}: ${what} is "${kind}", but ${meant[1]} declares the target "${meant[0]}": write that`,
      );
    else if (module !== undefined && own.length > 0)
      warnings.push(`${file}: ${what} is "${kind}", but the targets of its entities are ${own.join(', ')}`);
  }
  return { problems, warnings };
}

function listNamed({ modules, routes, tools }: Parameters<typeof checkRecords>[1]): Named[] {
  const folders = modules.flatMap(({ home, manifest: { name: module, adminFolders = {} } }) =>
    Object.entries(adminFolders).flatMap(([folder, { records }]) => {
      const what = `its records of the folder "${folder}"`;
      return records === undefined ? [] : { file: `${home}/module.ts`, what, kind: records, module };
    }),
  );
  const nameTarget = ({ target }: Pick<Route, 'target'>, file: string): Named[] =>
    target === undefined
      ? []
      : [{ file, what: 'the first part of its target', kind: target.split(':')[0] ?? '' }];
  return [
    ...folders,
    ...routes.flatMap(({ route, file }) => nameTarget(route, file)),
    ...tools.flatMap(({ tool, file }) => nameTarget(tool, file)),
  ];
}

/** What the audit log calls the records of an entity; undefined if no action is about them. */
function readKind({ entity: { target }, beginnings }: FoundEntity): string | undefined {
  if (typeof target !== 'function') return target;
  return target({ pk: beginnings.get('key')?.text ?? '', sk: '' }).split(':')[0];
}

/** If two names have the same letters, one of them is misspelled. */
const toLetters = (kind: string): string => kind.toLowerCase().replace(/[^a-z0-9]/g, '');
