import * as z from 'zod/mini';
import { defineEntity, getRow } from '#shared/db/entity.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { dictEntries } from './cache.ts';
import { dictItemKey, dictTypeKey } from './read-schema.ts';
import { type DictItem, type DictType, dictItem, dictType, storedText } from './schema.ts';

export const dictTypes = defineEntity({
  row: z.object({ ...dictType.shape, ...storedText }),
  key: dictTypeKey,
  missing: () => new AppError('dict.type_not_found'),
  taken: () => new AppError('dict.type_exists'),
  target: 'dict_type',
  mirror: { toId: ({ sk }) => sk, cache: dictEntries, clearsOnPut: true },
});

export const dictItems = defineEntity({
  row: z.object({ ...dictItem.shape, ...storedText, value: z.string() }),
  key: dictItemKey,
  missing: () => new AppError('dict.item_not_found'),
  taken: () => new AppError('dict.value_exists'),
  target: 'dict',
  revisions: { days: 200 },
  mirror: { cache: dictEntries, clearsOnPut: true },
});

/** @throws AppError `dict.type_not_found` */
export const getDictType = (typeKey: string): Promise<DictType> => getRow(dictTypes, { type_key: typeKey });

/** @throws AppError `dict.item_not_found` */
export const getDictItem = (typeKey: string, value: string): Promise<DictItem> =>
  getRow(dictItems, { type_key: typeKey, value });

/** Dictionaries are read here; `types.ts` and `items.ts` write them. */
export const writtenKeys: ListWrittenKeys = () => [];
