import * as z from 'zod/mini';
import { typeKey } from '#shared/dict/schema.ts';
import { deleteDictType } from '#shared/dict/types.ts';
import { admin } from '#shared/http/route.ts';

export default admin.post({
  summary: { zh_CN: '删除字典类型', en: 'Delete a dictionary type' },
  body: z.strictObject({ type_key: typeKey }),
  target: 'dict_type:{type_key}',
  data: z.null(),
  errors: ['dict.type_not_found', 'dict.type_not_empty'],
  handler: ({ body }) => deleteDictType(body.type_key),
});
