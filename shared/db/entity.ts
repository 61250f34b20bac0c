import * as z from 'zod/mini';
import type { Entity } from './define-entity.ts';
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
import type { RowPage } from './paging/cursor.ts';
import type { IndexName } from './table.ts';
import { timeAfter, type Versioned, versionConflict } from './versions.ts';
import {
  type Attributes,
  type Change,
  changeItem,
  putItem,
  putNew,
  removeItem,
  withoutUndefined,
} from './writes.ts';

export { type DeclaredEntity, defineEntity, type Entity, listEntities } from './define-entity.ts';
export { assertVersion, retryOnConflict, versionConflict } from './versions.ts';

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
 * @param beside values that are stored beside the row, for its revision
 */
export function editRow<Row extends Versioned, Id>(
  entity: Entity<Row, Id>,
  old: NoInfer<Row & Id>,
  changes: Partial<NoInfer<Row>>,
  more: Attributes = {},
  beside: { old: Attributes; now: Attributes } = { old: {}, now: {} },
): { write: Write; row: Row & Id } {
  const given = {
    ...withoutUndefined(changes),
    version: old.version + 1,
    updated_at: timeAfter(old.updated_at),
  };
  const row = { ...old, ...given };
  const change = { ...toEdit(entity, old, row, { given, more }), expect: { version: old.version } };
  const write = changeItem(entity.key(old), change, refuseStale(entity, old));
  const replaced = { old: { ...old, ...beside.old }, now: { ...row, ...beside.now }, at: given.updated_at };
  return { write: { ...write, replaced }, row };
}

/** What an edit sets and removes, so that the item equals one that is stored with the new row. */
function toEdit<Row extends object, Id>(
  entity: Entity<Row, Id>,
  old: Row,
  row: Row,
  { given, more }: { given: Attributes; more: Attributes },
): Pick<Change, 'set' | 'remove'> {
  const [before, after] = [attributesOf(entity, old), attributesOf(entity, row)];
  const [keysBefore, keysAfter] = [indexKeysOf(entity, old), indexKeysOf(entity, row)];
  // What is computed is always set: items that were stored before it was declared get it too.
  const changed = Object.entries(after).filter(
    ([name, value]) => name in given || value !== Object(row)[name],
  );
  const moved = Object.entries(keysAfter).filter(([name, value]) => keysBefore[name] !== value);
  const set = { ...Object.fromEntries([...changed, ...moved]), ...more };
  const gone = [
    ...Object.keys({ ...before, ...given }).filter((name) => !(name in after)),
    ...Object.keys(keysBefore).filter((name) => !(name in keysAfter)),
  ];
  return { set, remove: gone.filter((name) => !(name in set)) };
}

/** The attributes of a row that have a value. */
function attributesOf<Row extends object>(
  { toAttributes }: Pick<Entity<Row, never>, 'toAttributes'>,
  row: Row,
): Attributes {
  const attributes: object = toAttributes?.(row) ?? row;
  return withoutUndefined<Attributes>({ ...attributes });
}

/** The write that puts a row into the place of another version, as an import does. */
export function replaceRow<Row extends Versioned, Id>(
  entity: Entity<Row, Id>,
  old: NoInfer<Row & Id>,
  changes: Partial<NoInfer<Row>>,
): Write {
  const { write, row } = editRow(entity, old, changes);
  return {
    ...putItem(toItem(entity, row), { expect: { version: old.version } }),
    replaced: write.replaced,
  };
}

/**
 * The write that deletes a row, and keeps it as a revision. It fails if the row has changed since `old` was read.
 *
 * @param options.expect values that the row must have besides
 * @param options.beside values that are stored beside the row, for its revision
 * @param options.now the row with another key that takes its place, for its revision
 */
export function removeRow<Row extends Versioned, Id>(
  entity: Entity<Row, Id>,
  old: NoInfer<Row & Id>,
  { expect = {}, beside = {}, now = null, refusal = refuseStale(entity, old) }: RemovalOptions = {},
): Write {
  const removal = removeItem(entity.key(old), { expect: { version: old.version, ...expect } }, refusal);
  const replaced = { old: { ...old, ...beside }, now: now && { ...now }, at: timeAfter(old.updated_at) };
  return { ...removal, replaced };
}

interface RemovalOptions {
  expect?: Attributes;
  beside?: Attributes;
  now?: object | null;
  refusal?: Refusal;
}

const refuseStale =
  <Row extends object, Id>(entity: Entity<Row, Id>, id: NoInfer<Id>): Refusal =>
  async () =>
    (await findRow(entity, id)) ? versionConflict() : entity.missing();

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
