import * as z from 'zod/mini';
import { dictType } from '#shared/dict/schema.ts';
import { listDictTypes } from '#shared/dict/types.ts';
import { admin } from '#shared/http/route.ts';

export default admin.get({
  summary: { zh_CN: '全部字典类型', en: 'All dictionary types' },
  data: z.array(z.pick(dictType, { type_key: true, name: true })),
  prefetch: () => listDictTypes(),
  handler: async ({ prefetched }) => prefetched.map(({ type_key, name }) => ({ type_key, name })),
});
