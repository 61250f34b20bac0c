import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import { listDictItems } from '#shared/dict/items.ts';
import { dictItem, status, typeKey } from '#shared/dict/schema.ts';
import { getDictType } from '#shared/dict/types.ts';
import { admin } from '#shared/http/route.ts';
import { keyword, pageOf, pageQuery, toPage } from '#shared/schema/list.ts';
import { matchesKeyword } from '#shared/schema/text.ts';

export default admin.get({
  summary: { zh_CN: '字典项列表', en: 'List the items of a dictionary type' },
  query: z.object({
    ...pageQuery,
    type_key: typeKey,
    keyword: z.optional(keyword),
    status: z.optional(status),
  }),
  data: pageOf(dictItem),
  errors: ['dict.type_not_found'],
  // Read after the gates: a type may hold 10,000 items.
  handler: async ({ query }) => {
    const { type_key, keyword, status } = query;
    const [items] = await settleAll([listDictItems(type_key), getDictType(type_key)]);
    const wanted = items.filter(
      (item) =>
        matchesKeyword(keyword, item.value, item.name) && (status === undefined || item.status === status),
    );
    return toPage(wanted, query);
  },
});
