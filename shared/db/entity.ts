import * as z from 'zod/mini';
import { AppError } from '#shared/errors/app-error.ts';
import {
  getItem,
  getItems,
  type IndexPartition,
  type IndexQuery,
  type Item,
  type Key,
  type Position,
  queryIndex,
  queryPartition,
  type Refusal,
  updateItem,
  type Write,
} from './items.ts';
import type { IndexName } from './table.ts';
import { type Attributes, type Change, changeItem, putNew, withoutUndefined } from './writes.ts';

/** Where an index keeps a row. */
export interface EntityIndex<Row> {
  name: IndexName;
  /** The partition; undefined if the index does not list the row. */
  pk(row: Row): string | undefined;
  /** The place in the partition. */
  sk(row: Row): string;
}

/** How one kind of record lies in the table. */
export interface Entity<Row extends object, Id> {
  /** Makes a row of an item; it leaves out what the item holds for the database alone. */
  row: z.core.$ZodType<Row>;
  /** The primary key, from the parts of a row that identify it. */
  key(id: Id): Key;
  indexes?: Record<string, EntityIndex<NoInfer<Row>>>;
  /** The attributes of an item, if they are not those of the row. */
  toAttributes?(row: NoInfer<Row>): Attributes;
  /** What is thrown if a row does not exist. */
  missing(): AppError;
  /** What is thrown if a new row exists already. */
  taken?: Refusal;
}

/** A row with a version that counts from 1 and moves with every edit. */
interface Versioned {
  version: number;
  updated_at: string;
}

/** Declares an entity; the compiler keeps the names of its indexes. */
export function defineEntity<Row extends object, Id, Declared extends Partial<Entity<Row, Id>>>(
  entity: Entity<Row, Id> & Declared,
): Entity<Row, Id> & Declared {
  return entity;
}

/** The row of an item that was read. */
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

/** One row, strongly consistent. @throws what the entity says of a row that is missing */
export async function getRow<Row extends object, Id>(entity: Entity<Row, Id>, id: Id): Promise<Row> {
  const row = await findRow(entity, id);
  if (!row) throw entity.missing();
  return row;
}

/** Rows in no given order, strongly consistent; those that do not exist are left out. */
export async function findRows<Row extends object, Id>(
  entity: Entity<Row, Id>,
  ids: readonly Id[],
): Promise<Row[]> {
  return (await getItems(ids.map((id) => entity.key(id)))).map((item) => toRow(entity, item));
}

/** Rows of an index, and where the list goes on; undefined at its end. */
export async function queryRows<Row extends object>(
  entity: Pick<Entity<Row, never>, 'row'>,
  query: IndexQuery,
): Promise<{ rows: Row[]; last: Position | undefined }> {
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

/** The partition of an index that holds the rows with these values. */
export function partitionOf<Part>(
  { name, pk }: { name: IndexName; pk(part: Part): string | undefined },
  part: Part,
): IndexPartition {
  const partition = pk(part);
  if (partition === undefined) throw new Error(`${name} holds no such rows`);
  return { name, pk: partition };
}

/**
 * The item of a row: its keys, its places in the indexes, its attributes.
 *
 * @param places places in indexes that differ from the declared ones, as in a spread index
 */
export function toItem<Row extends object, Id>(
  entity: Entity<Row, Id>,
  row: Row & Id,
  places: Attributes = {},
): Item {
  const attributes = entity.toAttributes?.(row) ?? row;
  return { ...entity.key(row), ...attributes, ...placesOf(entity, row), ...places };
}

/** The write that stores a new row. It fails if the row exists already. */
export function putRow<Row extends object, Id>(
  entity: Entity<Row, Id>,
  row: Row & Id,
  places?: Attributes,
): Write {
  return putNew(toItem(entity, row, places), entity.taken);
}

/**
 * The write that edits a row of a version, and the row that it becomes. It fails if the row has changed or is gone.
 *
 * @param old the row that the edit was made upon
 * @param changes what is undefined stays as it is
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
  const [before, after] = [placesOf(entity, old), placesOf(entity, row)];
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

/** Throws if a row is no longer of the version that an edit was made upon. @throws AppError `version_conflict` */
export function assertVersion(row: Versioned, version: number): void {
  if (row.version !== version) throw new AppError('version_conflict');
}

/**
 * Changes an existing row at once, in a way that may be repeated.
 *
 * @throws what the entity says of a row that is missing, also if the conditions do not hold
 */
export async function changeRow<Row extends object, Id>(
  entity: Entity<Row, Id>,
  id: Id,
  change: Change,
): Promise<void> {
  const { Update } = changeItem(entity.key(id), { expect: {}, ...change });
  await updateItem(Update, () => entity.missing());
}

/** The write that gives something unique, such as an account, to a row. It fails if another row has it. */
export const takeClaim = (key: Key, id: string, refusal?: Refusal): Write => putNew({ ...key, id }, refusal);

/** The ID of the row that has something unique; undefined if no row has it. */
export async function findClaim(key: Key): Promise<string | undefined> {
  const claim = await getItem(key);
  return claim && String(claim.id);
}

/**
 * Tries again if another change of the same row came first.
 *
 * @param tries how often in all
 * @throws AppError `version_conflict` of the last try
 */
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

function placesOf<Row extends object, Id>({ indexes = {} }: Entity<Row, Id>, row: Row): Attributes {
  const places: Attributes = {};
  for (const { name, pk, sk } of Object.values(indexes)) {
    const partition = pk(row);
    if (partition !== undefined) Object.assign(places, { [`${name}pk`]: partition, [`${name}sk`]: sk(row) });
  }
  return places;
}
