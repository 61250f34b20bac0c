import * as z from 'zod/mini';
import { dictType } from '#shared/dict/schema.ts';
import { listDictTypes } from '#shared/dict/types.ts';
import { admin } from '#shared/http/route.ts';
import { keyword, pageOf, pageQuery, queryFlag, toPage } from '#shared/schema/list.ts';
import { matchesKeyword } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';

export default admin.get({
  summary: { zh_CN: '字典类型列表', en: 'List dictionary types' },
  query: z.object({
    ...pageQuery,
    keyword: z.optional(keyword),
    enabled: titled({ zh_CN: '启用', en: 'Enabled' }, z.optional(queryFlag)),
  }),
  data: pageOf(dictType),
  prefetch: () => listDictTypes(),
  handler: async ({ query, prefetched }) => {
    const { keyword, enabled } = query;
    const types = prefetched.filter(
      (type) =>
        matchesKeyword(keyword, type.type_key, type.name) &&
        (enabled === undefined || type.enabled === enabled),
    );
    return toPage(types, query);
  },
});
