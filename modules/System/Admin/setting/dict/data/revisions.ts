import { dictItems } from '#shared/dict/items.ts';
import { dictItem, itemValue, typeKey } from '#shared/dict/schema.ts';
import { defineRevisionsRoute } from '#shared/http/revisions-route.ts';

export default defineRevisionsRoute(dictItems, {
  summary: { zh_CN: '字典项的修改历史', en: 'The history of a dictionary item' },
  keys: { type_key: typeKey, value: itemValue },
  data: dictItem,
});
