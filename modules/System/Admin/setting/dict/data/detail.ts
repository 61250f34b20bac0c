import * as z from 'zod/mini';
import { getDictItem } from '#shared/dict/items.ts';
import { dictItem, itemValue, typeKey } from '#shared/dict/schema.ts';
import { admin } from '#shared/http/route.ts';

export default admin.get({
  summary: { zh_CN: '字典项详情', en: 'A dictionary item' },
  query: z.object({ type_key: typeKey, value: itemValue }),
  data: dictItem,
  errors: ['dict.item_not_found'],
  prefetch: ({ query }) => getDictItem(query.type_key, query.value),
  handler: async ({ prefetched }) => prefetched,
});
