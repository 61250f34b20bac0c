import * as z from 'zod/mini';
import { components } from '#shared/schema/component.ts';
import { createdAt, status, updatedAt, version } from '#shared/schema/fields.ts';
import { label } from '#shared/schema/marks.ts';
import { text } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import { typeKey } from './read-schema.ts';

export { status, typeKey, version };

export const maxItemsPerType = 10_000;
export const maxImportItems = 5_000;

/** Stable option value: printable ASCII, stored unchanged. */
export const itemValue = titled(
  { zh_CN: '值', en: 'Value' },
  label(z.string().check(z.regex(/^[\x20-\x7e]{1,64}$/, { error: 'rule.value' }))),
);
export const name = titled({ zh_CN: '名称', en: 'Name' }, label(text(1, 100)));
export const remark = titled({ zh_CN: '备注', en: 'Remark', type: 'multiline' }, text(0, 200));
export const sort = titled(
  { zh_CN: '排序', en: 'Order' },
  z.int().check(z.gte(-1_000_000), z.lte(1_000_000)),
);

/** Changes or deletes a value even if records refer to it. */
export const force = titled({ zh_CN: '仍在使用时也执行', en: 'Even if it is in use' }, z.boolean());

/** Stored texts: those that older rules allowed are still read. */
export const storedText = { type_key: z.string(), name: z.string(), remark: z.string() };

export const dictType = z
  .strictObject({
    type_key: typeKey,
    name,
    enabled: titled({ zh_CN: '启用', en: 'Enabled' }, z.boolean()),
    public: titled({ zh_CN: '公开', en: 'Public' }, z.boolean()),
    remark,
    version,
    item_count: titled({ zh_CN: '项数', en: 'Items' }, z.int()),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .register(components, { id: 'DictType' });
export type DictType = z.infer<typeof dictType>;

/** A type is created with an explicit `enabled` (specification, "Dictionary type"). */
export const newDictType = z.partial(
  z.omit(dictType, { version: true, item_count: true, created_at: true, updated_at: true }),
  { public: true, remark: true },
);

export const dictItem = z
  .strictObject({
    type_key: titled(
      { zh_CN: '字典类型', en: 'Dictionary type', refersTo: 'system/setting/dict/type' },
      typeKey,
    ),
    value: itemValue,
    name,
    sort,
    status,
    remark,
    version,
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .register(components, { id: 'DictItem' });
export type DictItem = z.infer<typeof dictItem>;

/** `sort` defaults to 0, `status` to enabled. */
export const newDictItem = z.partial(
  z.omit(dictItem, { version: true, created_at: true, updated_at: true }),
  { sort: true, status: true, remark: true },
);
