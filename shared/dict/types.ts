import type * as z from 'zod/mini';
import { assertVersion, editRow, listPartition, putRow, versionConflict } from '#shared/db/entity.ts';
import { transact } from '#shared/db/items.ts';
import { removeItem, withoutUndefined } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { dictTypeKey } from './read-schema.ts';
import { dictTypes, getDictType } from './records.ts';
import type { DictType, newDictType } from './schema.ts';

export { dictTypes, getDictType };

export type NewDictType = z.infer<typeof newDictType>;
type DictTypeChanges = Partial<Omit<NewDictType, 'type_key'>>;

/** All types by key. */
export const listDictTypes = (): Promise<DictType[]> =>
  listPartition(dictTypes, dictTypeKey({ type_key: '' }).pk);

export function createDictType(input: NewDictType): DictType {
  const now = new Date().toISOString();
  return {
    public: false,
    remark: '',
    ...withoutUndefined(input),
    version: 1,
    item_count: 0,
    created_at: now,
    updated_at: now,
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

/**
 * @param version only this one. @default any
 * @throws AppError `dict.type_not_found`, `dict.type_not_empty`; `version_conflict` if it has another version
 */
export async function deleteDictType(typeKey: string, version?: number): Promise<void> {
  const removal = removeItem(
    dictTypes.key({ type_key: typeKey }),
    { expect: withoutUndefined({ item_count: 0, version }) },
    async () => {
      const found = await getDictType(typeKey);
      const isOther = version !== undefined && found.version !== version;
      return isOther ? versionConflict() : new AppError('dict.type_not_empty');
    },
  );
  await transact([removal]);
}

export const writtenKeys: ListWrittenKeys = () => [dictTypeKey({ type_key: '' }).pk];
