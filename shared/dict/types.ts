import { ConditionError } from '#shared/db/errors.ts';
import { getItem, type Item, queryPartition, transact, type Write } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { editVersion, withoutUndefined } from '#shared/db/update.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { changing } from './cache.ts';
import type { DictType } from './schema.ts';

export type NewDictType = Pick<DictType, 'type_key' | 'name' | 'enabled'> &
  Partial<Pick<DictType, 'public' | 'remark'>>;
export type DictTypeChanges = Partial<Pick<DictType, 'name' | 'enabled' | 'public' | 'remark'>>;

function toDictType(item: Item): DictType {
  const { type_key, name, enabled, public: isPublic, remark, version, item_count } = item;
  const { created_at, updated_at } = item;
  const own = { type_key, name, enabled, public: isPublic, remark, version, item_count };
  return { ...own, created_at, updated_at } as DictType;
}

/** All types by key. */
export async function listDictTypes(): Promise<DictType[]> {
  return (await queryPartition(keys.dictTypes)).map(toDictType);
}

/** @throws AppError `dict.type_not_found` */
export async function getDictType(typeKey: string): Promise<DictType> {
  const item = await getItem(keys.dictType(typeKey));
  if (!item) throw new AppError('dict.type_not_found');
  return toDictType(item);
}

/** A type as it is stored first. */
export function createDictType(input: NewDictType): DictType {
  const now = new Date().toISOString();
  return toDictType({
    public: false,
    remark: '',
    ...withoutUndefined(input),
    version: 1,
    item_count: 0,
    created_at: now,
    updated_at: now,
  });
}

/** The write that stores a new type; its condition fails where the key is taken. */
export const putNewType = (type: DictType): Write => ({
  Put: {
    Item: { ...keys.dictType(type.type_key), ...type },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

/** @throws AppError `dict.type_exists` */
export async function addDictType(input: NewDictType): Promise<DictType> {
  const type = createDictType(input);
  try {
    await changing([type.type_key], () => transact([putNewType(type)]));
  } catch (error) {
    if (error instanceof ConditionError) throw new AppError('dict.type_exists');
    throw error;
  }
  return type;
}

/** @throws AppError `dict.type_not_found`, or `version_conflict` when `version` is not the stored one */
export async function editDictType(
  typeKey: string,
  version: number,
  changes: DictTypeChanges,
): Promise<DictType> {
  const old = await getDictType(typeKey);
  if (old.version !== version) throw new AppError('version_conflict');
  const edit = editVersion(keys.dictType(typeKey), version, changes);
  try {
    await changing([typeKey], () => transact([edit.write]));
  } catch (error) {
    if (error instanceof ConditionError) throw new AppError('version_conflict');
    throw error;
  }
  return toDictType({ ...old, ...edit.attributes });
}

/** @throws AppError `dict.type_not_found`, or `dict.type_not_empty` while it has items */
export async function deleteDictType(typeKey: string): Promise<void> {
  try {
    const removal = {
      Delete: {
        Key: { ...keys.dictType(typeKey) },
        ConditionExpression: 'item_count = :none',
        ExpressionAttributeValues: { ':none': 0 },
      },
    };
    await changing([typeKey], () => transact([removal]));
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    await getDictType(typeKey);
    throw new AppError('dict.type_not_empty');
  }
}
