import * as z from 'zod/mini';
import { AppError } from '#shared/errors/app-error.ts';
import {
  getItem,
  getItems,
  type IndexPartition,
  type IndexQuery,
  type Item,
  type Key,
  queryIndex,
  queryPartition,
  type Refusal,
  updateItem,
  type Write,
} from './items.ts';
import type { Mirror } from './mirrors.ts';
import type { RowPage } from './paging/cursor.ts';
import { withFacts } from './record-facts.ts';
import type { IndexName } from './table.ts';
import { type Attributes, type Change, changeItem, putNew, withoutUndefined } from './writes.ts';

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
  /** The attributes of an item, if they differ from those of the row. */
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
}

/** The version counts from 1, and every edit adds 1. */
interface Versioned {
  version: number;
  updated_at: string;
}

/** What the build compares between all entities. */
export interface DeclaredEntity {
  entity: Pick<Entity<object, never>, 'mirror' | 'target'> & {
    key(id: never): Key;
    indexes?: Record<string, { name: IndexName; pk(row: never): unknown }>;
  };
  /** Its stack names the file of the declaration. */
  declaredAt: Error;
}

const declared: DeclaredEntity[] = [];

/** All entities of the loaded files, for the build. */
export const listEntities = (): readonly DeclaredEntity[] => declared;

/** Declares an entity; the compiler keeps the names of its indexes. */
export function defineEntity<Row extends object, Id, Declared extends Partial<Entity<Row, Id>>>(
  entity: Entity<Row, Id> & Declared,
): Entity<Row, Id> & Declared {
  const { mirror = [], target } = entity;
  const facts = {
    mirrors: [mirror].flat(),
    target: typeof target === 'string' ? (key: Key) => nameTarget(target, key) : target,
  };
  const known = { ...entity, key: (id: Id) => withFacts(entity.key(id), facts) };
  const declaredAt = new Error('declared');
  Error.captureStackTrace(declaredAt, defineEntity);
  declared.push({ entity: known, declaredAt });
  return known;
}

const nameTarget = (kind: string, { pk, sk }: Key): string =>
  [kind, ...pk.split('#').slice(1), ...(sk === pk ? [] : [sk])].join(':');

export const toRow = <Row extends object>({ row }: Pick<Entity<Row, never>, 'row'>, item: Item): Row =>
  z.parse(row, item);

/** One row, strongly consistent; undefined if it does not exist. */
export async function findRow<Row extends object, Id>(
  entity: Entity<Row, Id>,
  id: Id,
): Promise<Row | undefined> {
  const item = await getItem(entity.key(id));
  return item && toRow(entity, item);
}

/** One row, strongly consistent. @throws the entity's `missing` */
export async function getRow<Row extends object, Id>(entity: Entity<Row, Id>, id: Id): Promise<Row> {
  const row = await findRow(entity, id);
  if (!row) throw entity.missing();
  return row;
}

/** Rows in any order, strongly consistent; those that do not exist are left out. */
export async function findRows<Row extends object, Id>(
  entity: Entity<Row, Id>,
  ids: readonly Id[],
): Promise<Row[]> {
  return (await getItems(ids.map((id) => entity.key(id)))).map((item) => toRow(entity, item));
}

/** A page of rows of an index. */
export async function queryRows<Row extends object>(
  entity: Pick<Entity<Row, never>, 'row'>,
  query: IndexQuery,
): Promise<RowPage<Row>> {
  const { items, last } = await queryIndex(query);
  return { rows: items.map((item) => toRow(entity, item)), last };
}

/** Every row of a partition of the table, strongly consistent, in the order of `sk`. For bounded collections only. */
export async function listPartition<Row extends object>(
  entity: Pick<Entity<Row, never>, 'row'>,
  pk: string,
): Promise<Row[]> {
  return (await queryPartition(pk)).map((item) => toRow(entity, item));
}

/** The partition of an index for rows with these values. @throws Error if the index does not list such rows */
export function partitionOf<Part>(
  { name, pk }: { name: IndexName; pk(part: Part): string | undefined },
  part: Part,
): IndexPartition {
  const partition = pk(part);
  if (partition === undefined) throw new Error(`${name} holds no such rows`);
  return { name, pk: partition };
}

/** The item of a row with its keys. @param indexKeys index keys that differ from the declared, as in a spread index */
export function toItem<Row extends object, Id>(
  entity: Omit<Entity<Row, Id>, 'row' | 'missing'> & Partial<Pick<Entity<Row, Id>, 'row'>>,
  row: Row & Id,
  indexKeys: Attributes = {},
): Item {
  const attributes = entity.toAttributes?.(row) ?? row;
  return { ...entity.key(row), ...attributes, ...indexKeysOf(entity, row), ...indexKeys };
}

/** The write that stores a new row. It fails if the row exists. */
export function putRow<Row extends object, Id>(
  entity: Entity<Row, Id>,
  row: Row & Id,
  indexKeys?: Attributes,
): Write {
  return putNew(toItem(entity, row, indexKeys), entity.taken);
}

/**
 * The write that edits a row, and the new row. The write fails if the row has changed since `old` was read.
 *
 * @param changes new values; undefined changes nothing
 * @param more attributes that are not part of the row
 */
export function editRow<Row extends Versioned, Id>(
  entity: Entity<Row, Id>,
  old: NoInfer<Row & Id>,
  changes: Partial<NoInfer<Row>>,
  more: Attributes = {},
): { write: Write; row: Row & Id } {
  const given = {
    ...withoutUndefined(changes),
    version: old.version + 1,
    updated_at: new Date().toISOString(),
  };
  const row = { ...old, ...given };
  const [before, after] = [indexKeysOf(entity, old), indexKeysOf(entity, row)];
  const moved = Object.entries(after).filter(([name, value]) => before[name] !== value);
  const refusal = async () =>
    (await findRow(entity, old)) ? new AppError('version_conflict') : entity.missing();
  const write = changeItem(
    entity.key(old),
    {
      set: { ...given, ...Object.fromEntries(moved), ...more },
      remove: Object.keys(before).filter((name) => !(name in after)),
      expect: { version: old.version },
    },
    refusal,
  );
  return { write, row };
}

/** The refusal of a write whose item has changed since it was read. */
export const versionConflict = (cause?: unknown): AppError => new AppError('version_conflict', { cause });

/** @throws AppError `version_conflict` if a row has another version */
export function assertVersion(row: Versioned, version: number): void {
  if (row.version !== version) throw new AppError('version_conflict');
}

/** Changes an existing row, idempotently. @throws the entity's `missing`, also if the conditions do not hold */
export async function changeRow<Row extends object, Id>(
  entity: Entity<Row, Id>,
  id: Id,
  change: Change,
): Promise<void> {
  const { Update } = changeItem(entity.key(id), { expect: {}, ...change });
  await updateItem(Update, () => entity.missing());
}

/** The write that claims something unique, such as an account, for a row. It fails if another row has it. */
export const takeClaim = (key: Key, id: string, refusal?: Refusal): Write => putNew({ ...key, id }, refusal);

/** The ID of the row that holds a claim; undefined if no row does. */
export async function findClaim(key: Key): Promise<string | undefined> {
  const claim = await getItem(key);
  return claim && String(claim.id);
}

/** Repeats an attempt that fails with `version_conflict`; throws that of the last one. @param tries attempts in all */
export async function retryOnConflict<T>(tries: number, attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isConflict = error instanceof AppError && error.code === 'version_conflict';
      if (!isConflict || count === tries) throw error;
    }
  }
}

function indexKeysOf<Row extends object>(
  { indexes = {} }: Pick<Entity<Row, never>, 'indexes'>,
  row: Row,
): Attributes {
  const indexKeys: Attributes = {};
  for (const { name, pk, sk } of Object.values(indexes)) {
    const partition = pk(row);
    if (partition !== undefined)
      Object.assign(indexKeys, { [`${name}pk`]: partition, [`${name}sk`]: sk(row) });
  }
  return indexKeys;
}
