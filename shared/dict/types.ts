import * as z from 'zod/mini';
import { assertVersion, defineEntity, editRow, getRow, listPartition, putRow } from '#shared/db/entity.ts';
import { transact } from '#shared/db/items.ts';
import { removeItem, withoutUndefined } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { dictEntries } from './cache.ts';
import { dictTypeKey } from './read-schema.ts';
import { type DictType, dictType, type newDictType, storedText } from './schema.ts';

export const dictTypes = defineEntity({
  row: z.object({ ...dictType.shape, ...storedText }),
  key: dictTypeKey,
  missing: () => new AppError('dict.type_not_found'),
  taken: () => new AppError('dict.type_exists'),
  mirror: { prefix: 'DICT_TYPE', toId: ({ sk }) => sk, cache: dictEntries, clearsOnPut: true },
});

export type NewDictType = z.infer<typeof newDictType>;
type DictTypeChanges = Partial<Omit<NewDictType, 'type_key'>>;

/** All types by key. */
export const listDictTypes = (): Promise<DictType[]> =>
  listPartition(dictTypes, dictTypeKey({ type_key: '' }).pk);

/** @throws AppError `dict.type_not_found` */
export const getDictType = (typeKey: string): Promise<DictType> => getRow(dictTypes, { type_key: typeKey });

export function createDictType(input: NewDictType): DictType {
  const now = new Date().toISOString();
  return {
    ...{ public: false, remark: '', ...withoutUndefined(input) },
    ...{ version: 1, item_count: 0, created_at: now, updated_at: now },
  };
}

/** @throws AppError `dict.type_exists` */
export async function addDictType(input: NewDictType): Promise<DictType> {
  const type = createDictType(input);
  await transact([putRow(dictTypes, type)]);
  return type;
}

/** @throws AppError `dict.type_not_found`, `version_conflict` */
export async function editDictType(
  typeKey: string,
  version: number,
  changes: DictTypeChanges,
): Promise<DictType> {
  const old = await getDictType(typeKey);
  assertVersion(old, version);
  const { write, row } = editRow(dictTypes, old, changes);
  await transact([write]);
  return row;
}

/** @throws AppError `dict.type_not_found`, `dict.type_not_empty` */
export async function deleteDictType(typeKey: string): Promise<void> {
  const removal = removeItem(dictTypeKey({ type_key: typeKey }), { expect: { item_count: 0 } }, async () => {
    await getDictType(typeKey);
    return new AppError('dict.type_not_empty');
  });
  await transact([removal]);
}
