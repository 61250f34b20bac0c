import type * as z from 'zod/mini';
import {
  assertVersion,
  editRow,
  listPartition,
  putRow,
  removeRow,
  retryOnConflict,
} from '#shared/db/entity.ts';
import { type Refusal, transact, type Write } from '#shared/db/items.ts';
import { beside } from '#shared/db/record-facts.ts';
import { changeItem, withoutUndefined } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { byOrder } from './order.ts';
import { dictItemKey, dictItemsOf, dictTypeKey } from './read-schema.ts';
import { dictItems, dictTypes, getDictItem, getDictType } from './records.ts';
import { type DictItem, maxItemsPerType, type newDictItem } from './schema.ts';
import { checkUnused, listUsages } from './usage.ts';

export { dictItems, getDictItem };

export type NewDictItem = z.infer<typeof newDictItem>;
type DictItemChanges = Partial<Omit<NewDictItem, 'type_key' | 'value'>>;

/** All items of a type in the order of `byOrder`. */
export async function listDictItems(typeKey: string): Promise<DictItem[]> {
  return (await listPartition(dictItems, dictItemsOf(typeKey))).sort(byOrder);
}

export function createDictItem(input: NewDictItem): DictItem {
  const now = new Date().toISOString();
  return {
    sort: 0,
    status: 'enabled',
    remark: '',
    ...withoutUndefined(input),
    version: 1,
    created_at: now,
    updated_at: now,
  };
}

/** The write that changes a type's item count. It fails if the type does not exist or would be too full. */
export const countItems = (typeKey: string, by: number, refusal?: Refusal): Write =>
  changeItem(
    beside(dictTypes.key({ type_key: typeKey })),
    { add: { item_count: by }, expect: {}, atMost: { item_count: maxItemsPerType - by } },
    refusal,
  );

/** @throws AppError `dict.type_not_found`, `dict.value_exists`, `dict.type_full` */
export async function addDictItem(input: NewDictItem): Promise<DictItem> {
  const item = createDictItem(input);
  const { type_key } = item;
  const isFull = async () => {
    await getDictType(type_key);
    return new AppError('dict.type_full', { params: { limit: maxItemsPerType } });
  };
  await transact([putRow(dictItems, item), countItems(type_key, 1, isFull)]);
  return item;
}

/** @throws AppError `dict.item_not_found`, `version_conflict` */
export async function editDictItem(
  typeKey: string,
  value: string,
  version: number,
  changes: DictItemChanges,
): Promise<DictItem> {
  const old = await getDictItem(typeKey, value);
  assertVersion(old, version);
  const edit = editRow(dictItems, old, changes);
  await transact([edit.write]);
  return edit.row;
}

export interface ValueChange extends DictItemChanges {
  new_value: string;
  /** Also if records use the old value. */
  force: boolean;
}

/**
 * Changes the `value` of an item, with other changes, in one transaction.
 *
 * @throws AppError `dict.item_not_found`, `version_conflict`, `dict.value_exists`, `dict.value_in_use`
 */
export async function changeDictValue(
  typeKey: string,
  value: string,
  version: number,
  { new_value, force, ...changes }: ValueChange,
): Promise<DictItem> {
  const old = await getDictItem(typeKey, value);
  assertVersion(old, version);
  const item: DictItem = {
    ...old,
    ...withoutUndefined(changes),
    value: new_value,
    version: version + 1,
    updated_at: new Date().toISOString(),
  };
  assertVersion(old, version);
  const removal = removeRow(dictItems, old, { now: item });
  await transact([
    removal,
    putRow(dictItems, item),
    ...(force ? [] : [checkUnused(typeKey, value, () => valueInUse(typeKey, value))]),
  ]);
  return item;
}

/**
 * Deletes an item.
 *
 * @param version only this one. @default any
 * @throws AppError `dict.item_not_found`; `dict.value_in_use` with the counts by module, unless forced;
 *   `version_conflict` if it has another version, or keeps changing
 */
export function deleteDictItem(
  typeKey: string,
  value: string,
  force: boolean,
  version?: number,
): Promise<void> {
  return retryOnConflict(version === undefined ? deletionTries : 1, async () => {
    const old = await getDictItem(typeKey, value);
    if (version !== undefined) assertVersion(old, version);
    await transact([
      removeRow(dictItems, old),
      countItems(typeKey, -1, dictTypes.missing),
      ...(force ? [] : [checkUnused(typeKey, value, () => valueInUse(typeKey, value))]),
    ]);
  });
}

const deletionTries = 10;

export async function valueInUse(typeKey: string, value: string): Promise<AppError> {
  return new AppError('dict.value_in_use', { errors: await listUsages(typeKey, value) });
}

export const writtenKeys: ListWrittenKeys = () => [
  dictItemKey({ type_key: '*', value: '' }).pk,
  dictTypeKey({ type_key: '' }).pk,
];
