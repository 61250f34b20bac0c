import * as z from 'zod/mini';
import type { Key } from '#shared/db/items.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { components } from '#shared/schema/component.ts';
import { label } from '#shared/schema/marks.ts';
import { titled } from '#shared/schema/titled.ts';

export const maxTypesPerRead = 50;

/** Identifier of an option set; it never changes. */
export const typeKey = titled(
  { zh_CN: '字典类型', en: 'Dictionary type' },
  label(z.string().check(z.regex(/^[a-z][a-z_]{1,63}$/, { error: 'rule.type_key' }))),
);

export const dictOption = z
  .strictObject({
    name: titled({ zh_CN: '名称', en: 'Name' }, z.string()),
    value: titled({ zh_CN: '值', en: 'Value' }, z.string()),
  })
  .register(components, { id: 'DictOption' });
export type DictOption = z.infer<typeof dictOption>;

/** `{ [type_key]: [{ name, value }] }`, or with `map=0` `{ [value]: name }`. */
export const dictRead = z.union([
  z.record(z.string(), z.array(dictOption)),
  z.record(z.string(), z.string()),
]);

export const dictTypeKey = ({ type_key }: { type_key: string }): Key => ({ pk: 'DICT_TYPE', sk: type_key });
export const dictItemKey = ({ type_key, value }: { type_key: string; value: string }): Key => ({
  pk: `DICT#${type_key}`,
  sk: value,
});
/** The partition of all items of a type. */
export const dictItemsOf = (typeKey: string): string => dictItemKey({ type_key: typeKey, value: '' }).pk;

/** Dictionaries are read by these keys. */
export const writtenKeys: ListWrittenKeys = () => [];
