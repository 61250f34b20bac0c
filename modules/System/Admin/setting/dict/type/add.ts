import { dictType, newDictType } from '#shared/dict/schema.ts';
import { addDictType } from '#shared/dict/types.ts';
import { admin } from '#shared/http/route.ts';

export default admin.post({
  summary: { zh_CN: '新增字典类型', en: 'Add a dictionary type' },
  body: newDictType,
  target: 'dict_type:{type_key}',
  data: dictType,
  errors: ['dict.type_exists'],
  handler: ({ body }) => addDictType(body),
});
