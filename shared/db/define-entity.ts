import type * as z from 'zod/mini';
import type { AppError } from '#shared/errors/app-error.ts';
import type { Mirror } from './mirrors.ts';
import { withFacts } from './record-facts.ts';
import { type RevisionOptions, toKeptRevisions } from './revisions/options.ts';
import type { IndexName } from './table.ts';
import type { Key, Refusal } from './write.ts';
import type { Attributes } from './writes.ts';

interface EntityIndex<Row> {
  name: IndexName;
  /** The partition; undefined if the index does not list the row. */
  pk(row: Row): string | undefined;
  sk(row: Row): string;
}

/** How one kind of record is stored. */
export interface Entity<Row extends object, Id> {
  /** Makes a row of an item, without the attributes that only the database needs. */
  row: z.core.$ZodType<Row>;
  key(id: Id): Key;
  indexes?: Record<string, EntityIndex<NoInfer<Row>>>;
  /** The attributes of an item, if they differ from those of the row. Each edit computes them too. */
  toAttributes?(row: NoInfer<Row>): Attributes;
  /** The error if a row does not exist. */
  missing(): AppError;
  /** The error if a new row exists already. */
  taken?: Refusal;
  /**
   * What the audit log calls a row: the kind, before the IDs of the key, as in `order:01J…`, or the whole name. Without
   * it, no action is about such a row.
   */
  target?: string | ((key: Key) => string);
  /** The caches that each write of a row clears, and the table's stream too. */
  mirror?: Mirror | readonly Mirror[];
  /** Keeps each row that is edited or deleted, for the history of its record. */
  revisions?: RevisionOptions;
}

/** What the build compares between all entities. */
export interface DeclaredEntity {
  entity: Pick<Entity<object, never>, 'mirror' | 'target' | 'revisions'> & {
    key(id: never): Key;
    indexes?: Record<string, { name: IndexName; pk(row: never): unknown }>;
  };
  /** Its stack names the file of the declaration. */
  declaredAt: Error;
}

const declared: DeclaredEntity[] = [];

/** All entities of the loaded files, for the build. */
export const listEntities = (): readonly DeclaredEntity[] => declared;

/**
 * Declares an entity; the compiler keeps the names of its indexes.
 *
 * @param declare the function that the declaring file calls
 */
export function defineEntity<Row extends object, Id, Declared extends Partial<Entity<Row, Id>>>(
  entity: Entity<Row, Id> & Declared,
  declare: (...given: never[]) => unknown = defineEntity,
): Entity<Row, Id> & Declared {
  const { mirror = [], target, revisions } = entity;
  const facts = {
    mirrors: [mirror].flat(),
    target: typeof target === 'string' ? (key: Key) => nameTarget(target, key) : target,
    revisions: revisions && toKeptRevisions(entity.row, revisions),
  };
  const known = { ...entity, key: (id: Id) => withFacts(entity.key(id), facts) };
  const declaredAt = new Error('declared');
  Error.captureStackTrace(declaredAt, declare);
  declared.push({ entity: known, declaredAt });
  return known;
}

const nameTarget = (kind: string, { pk, sk }: Key): string =>
  [kind, ...pk.split('#').slice(1), ...(sk === pk ? [] : [sk])].join(':');
