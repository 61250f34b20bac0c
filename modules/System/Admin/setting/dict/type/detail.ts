import * as z from 'zod/mini';
import { dictType, typeKey } from '#shared/dict/schema.ts';
import { getDictType } from '#shared/dict/types.ts';
import { admin } from '#shared/http/route.ts';

export default admin.get({
  summary: { zh_CN: '字典类型详情', en: 'A dictionary type' },
  query: z.object({ type_key: typeKey }),
  data: dictType,
  errors: ['dict.type_not_found'],
  prefetch: ({ query }) => getDictType(query.type_key),
  handler: async ({ prefetched }) => prefetched,
});
