import { addDictItem } from '#shared/dict/items.ts';
import { dictItem, newDictItem } from '#shared/dict/schema.ts';
import { admin } from '#shared/http/route.ts';

export default admin.post({
  summary: { zh_CN: '新增字典项', en: 'Add a dictionary item' },
  body: newDictItem,
  target: 'dict:{type_key}:{value}',
  data: dictItem,
  errors: ['dict.type_not_found', 'dict.value_exists', 'dict.type_full'],
  handler: ({ body }) => addDictItem(body),
});
