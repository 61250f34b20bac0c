import * as z from 'zod/mini';
import { addDictItem } from '#shared/dict/items.ts';
import { dictItem, itemValue, name, remark, sort, status, typeKey } from '#shared/dict/schema.ts';
import { admin } from '#shared/http/route.ts';

export default admin.post({
  summary: { zh_CN: '新增字典数据', en: 'Add a dictionary item' },
  body: z.strictObject({
    type_key: typeKey,
    name,
    value: itemValue,
    sort: z.optional(sort),
    status: z.optional(status),
    remark: z.optional(remark),
  }),
  data: dictItem,
  errors: ['dict.type_not_found', 'dict.value_exists', 'dict.type_full'],
  handler: ({ body }) => addDictItem(body),
});
