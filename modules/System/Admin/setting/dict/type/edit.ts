import * as z from 'zod/mini';
import { dictType, newDictType, typeKey, version } from '#shared/dict/schema.ts';
import { editDictType } from '#shared/dict/types.ts';
import { admin } from '#shared/http/route.ts';

export default admin.post({
  summary: { zh_CN: '编辑字典类型', en: 'Edit a dictionary type' },
  body: z.extend(z.partial(newDictType), { type_key: typeKey, version }),
  target: 'dict_type:{type_key}',
  data: dictType,
  errors: ['dict.type_not_found', 'version_conflict'],
  handler: ({ body: { type_key, version, ...changes } }) => editDictType(type_key, version, changes),
});
