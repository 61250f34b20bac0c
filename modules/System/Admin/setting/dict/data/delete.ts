import * as z from 'zod/mini';
import { deleteDictItem } from '#shared/dict/items.ts';
import { force, itemValue, typeKey } from '#shared/dict/schema.ts';
import { admin } from '#shared/http/route.ts';

export default admin.post({
  summary: { zh_CN: '删除字典项', en: 'Delete a dictionary item' },
  body: z.strictObject({ type_key: typeKey, value: itemValue, force: z.optional(force) }),
  target: 'dict:{type_key}:{value}',
  data: z.null(),
  errors: ['dict.type_not_found', 'dict.item_not_found', 'dict.value_in_use'],
  handler: ({ body: { type_key, value, force = false } }) => deleteDictItem(type_key, value, force),
});
