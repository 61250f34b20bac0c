import * as z from 'zod/mini';
import { changeDictValue, editDictItem } from '#shared/dict/items.ts';
import { dictItem, force, itemValue, newDictItem, typeKey, version } from '#shared/dict/schema.ts';
import { admin } from '#shared/http/route.ts';
import { titled } from '#shared/schema/titled.ts';

export default admin.post({
  summary: { zh_CN: '编辑字典项', en: 'Edit a dictionary item' },
  body: z.extend(z.partial(newDictItem), {
    type_key: typeKey,
    value: itemValue,
    new_value: titled({ zh_CN: '新值', en: 'New value' }, z.optional(itemValue)),
    version,
    force: z.optional(force),
  }),
  target: 'dict:{type_key}:{value}',
  data: dictItem,
  errors: ['dict.item_not_found', 'version_conflict', 'dict.value_exists', 'dict.value_in_use'],
  handler: ({ body: { type_key, value, new_value = value, version, force = false, ...changes } }) =>
    new_value === value
      ? editDictItem(type_key, value, version, changes)
      : changeDictValue(type_key, value, version, { ...changes, new_value, force }),
});
