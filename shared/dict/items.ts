import { ConditionError } from '#shared/db/errors.ts';
import { getItem, type Item, queryPartition, transact, type Write } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { editVersion, withoutUndefined } from '#shared/db/update.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { byOrder, changing } from './cache.ts';
import { type DictItem, maxItemsPerType } from './schema.ts';
import { getDictType } from './types.ts';
import { checkUnused, listUsages } from './usage.ts';

export type NewDictItem = Pick<DictItem, 'type_key' | 'value' | 'name'> &
  Partial<Pick<DictItem, 'sort' | 'status' | 'remark'>>;
export type DictItemChanges = Partial<Pick<DictItem, 'name' | 'sort' | 'status' | 'remark'>>;

function toDictItem(item: Item): DictItem {
  const { type_key, value, name, sort, status, remark, version, created_at, updated_at } = item;
  return { type_key, value, name, sort, status, remark, version, created_at, updated_at } as DictItem;
}

/** All items of a type in their order. */
export async function listDictItems(typeKey: string): Promise<DictItem[]> {
  const items = await queryPartition(keys.dictItems(typeKey));
  return items.map(toDictItem).sort(byOrder);
}

/** @throws AppError `dict.item_not_found` */
export async function getDictItem(typeKey: string, value: string): Promise<DictItem> {
  const item = await getItem(keys.dictItem(typeKey, value));
  if (!item) throw new AppError('dict.item_not_found');
  return toDictItem(item);
}

/** An item as it is stored first. */
export function createDictItem(input: NewDictItem): DictItem {
  const now = new Date().toISOString();
  return toDictItem({
    sort: 0,
    status: 'enabled',
    remark: '',
    ...withoutUndefined(input),
    version: 1,
    created_at: now,
    updated_at: now,
  });
}

/** The write that stores a new item; its condition fails where the value is taken. */
export const putNew = (item: DictItem): Write => ({
  Put: {
    Item: { ...keys.dictItem(item.type_key, item.value), ...item },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

/** The write that moves a type's item count; its condition fails without the type, or past the limit. */
export const countItems = (typeKey: string, by: number): Write => ({
  Update: {
    Key: { ...keys.dictType(typeKey) },
    UpdateExpression: 'ADD item_count :by',
    ConditionExpression: 'attribute_exists(pk) AND item_count <= :room',
    ExpressionAttributeValues: { ':by': by, ':room': maxItemsPerType - by },
  },
});

/** @throws AppError `dict.type_not_found`, `dict.value_exists`, `dict.type_full` */
export async function addDictItem(input: NewDictItem): Promise<DictItem> {
  const item = createDictItem(input);
  try {
    await changing([item.type_key], () => transact([countItems(item.type_key, 1), putNew(item)]));
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    await getDictType(item.type_key);
    if (error.failed.includes(1)) throw new AppError('dict.value_exists');
    throw new AppError('dict.type_full', { params: { limit: maxItemsPerType } });
  }
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
  if (old.version !== version) throw new AppError('version_conflict');
  const edit = editVersion(keys.dictItem(typeKey, value), version, changes);
  try {
    await changing([typeKey], () => transact([edit.write]));
  } catch (error) {
    if (error instanceof ConditionError) throw new AppError('version_conflict');
    throw error;
  }
  return toDictItem({ ...old, ...edit.attributes });
}

/** What a change of an item's `value` takes. */
export interface ValueChange extends DictItemChanges {
  new_value: string;
  /** Changes it even where records refer to the old value. */
  force: boolean;
}

/**
 * Gives an item another `value`, and other changes with it, in one transaction.
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
  if (old.version !== version) throw new AppError('version_conflict');
  const updated_at = new Date().toISOString();
  const given = withoutUndefined(changes);
  const item: DictItem = { ...old, ...given, value: new_value, version: version + 1, updated_at };
  const removal: Write = {
    Delete: {
      Key: { ...keys.dictItem(typeKey, value) },
      ConditionExpression: '#version = :expected',
      ExpressionAttributeNames: { '#version': 'version' },
      ExpressionAttributeValues: { ':expected': version },
    },
  };
  const writes = [removal, putNew(item), ...(force ? [] : [checkUnused(typeKey, value)])];
  try {
    await changing([typeKey], () => transact(writes));
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    if (error.failed.includes(0)) throw new AppError('version_conflict');
    if (error.failed.includes(1)) throw new AppError('dict.value_exists');
    throw await valueInUse(typeKey, value);
  }
  return item;
}

/** @throws AppError `dict.item_not_found`; `dict.value_in_use` with the counts by module, unless forced */
export async function deleteDictItem(typeKey: string, value: string, force: boolean): Promise<void> {
  const removal: Write = {
    Delete: { Key: { ...keys.dictItem(typeKey, value) }, ConditionExpression: 'attribute_exists(pk)' },
  };
  const writes = [removal, countItems(typeKey, -1), ...(force ? [] : [checkUnused(typeKey, value)])];
  try {
    await changing([typeKey], () => transact(writes));
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    if (error.failed.includes(0)) throw new AppError('dict.item_not_found');
    if (error.failed.includes(1)) throw new AppError('dict.type_not_found');
    throw await valueInUse(typeKey, value);
  }
}

/** The refusal to take away a value that records refer to. */
export async function valueInUse(typeKey: string, value: string): Promise<AppError> {
  return new AppError('dict.value_in_use', { errors: await listUsages(typeKey, value) });
}
