import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DeclaredEntity, listEntities } from '#shared/db/entity.ts';
import { revisionPartition } from '#shared/db/revisions/options.ts';
import { type ListWrittenKeys, type WrittenKeys, writeActions } from '#shared/db/written-keys.ts';
import { findFile, mark, markProbe } from '../discover/entity-keys.ts';
import type { Load } from '../scope.ts';

/** A right to write, complete. */
export type WriteRight = Required<Omit<WrittenKeys, 'attributes'>> & Pick<WrittenKeys, 'attributes'>;

/** The project's own code; generated entries and packages write nothing themselves. */
const isSource = (file: string): boolean => /^(?!node_modules)[^:?]+\.ts$/.test(file);

/**
 * What the code of a bundle writes: the `writtenKeys` of its files, else the entities that they declare, and the keys
 * that they write as texts.
 *
 * @param files with code in the bundle, from the project's root
 * @throws Error naming a file whose keys cannot be derived
 */
export async function listWriteRights(
  root: string,
  files: readonly string[],
  load: Load,
): Promise<WriteRight[]> {
  const rights: WriteRight[] = [];
  for (const file of files.filter(isSource)) {
    const path = join(root, file);
    const { writtenKeys } = await load<{ writtenKeys?: ListWrittenKeys }>(path);
    const listed = writtenKeys?.() ?? derive(path, file);
    rights.push(...listed.map(complete));
  }
  return [...rights, ...listRevisionRights(rights)];
}

const complete = (written: string | WrittenKeys): WriteRight => ({
  actions: writeActions,
  ...(typeof written === 'string' ? { keys: written } : written),
});

/** Who may change a whole record keeps its revisions too. */
function listRevisionRights(rights: readonly WriteRight[]): WriteRight[] {
  const kept = listEntities().filter(({ entity }) => entity.revisions !== undefined);
  return rights.flatMap(({ keys, attributes }) => {
    const isKept = kept.some((each) => keys !== '' && readKey(each) === keys);
    return isKept && !attributes ? [{ keys: revisionPartition(keys), actions: ['PutItem'] }] : [];
  });
}

function derive(path: string, file: string): string[] {
  const keys = [
    ...listEntities().flatMap((each) =>
      findFile(each.declaredAt.stack ?? '') === path ? [readKey(each)] : [],
    ),
    ...listLiteralKeys(readFileSync(path, 'utf8')),
  ];
  // Such a pattern would cover the records of others.
  if (keys.some((key) => /^(?:\*|$)/.test(key))) {
    throw new Error(
      `${file}: export writtenKeys, because the beginning of a key is not known: docs/entities.md`,
    );
  }
  return [...new Set(keys)];
}

/** The key of an entity as a pattern; empty if it needs a real record. */
function readKey({ entity }: DeclaredEntity): string {
  try {
    return String(Reflect.apply(entity.key, entity, [markProbe]).pk).replaceAll(mark, '*');
  } catch {
    return '';
  }
}

/** Texts of partition keys in a source, of counters and claims for example: `singleKey('A')`, `` pk: `B#${id}` ``. */
const literalKey = /(?:\bsingleKey\(|\bpk:)\s*(['`])(.*?)\1/g;

const listLiteralKeys = (source: string): string[] =>
  [...source.matchAll(literalKey)].map(([, , text = '']) => text.replace(/\$\{[^}]*\}/g, '*'));
