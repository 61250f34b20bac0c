import * as z from 'zod/mini';
import { dictType, name, remark, typeKey, version } from '#shared/dict/schema.ts';
import { editDictType } from '#shared/dict/types.ts';
import { admin } from '#shared/http/route.ts';

export default admin.post({
  summary: { zh_CN: '编辑字典类型', en: 'Edit a dictionary type' },
  body: z.strictObject({
    type_key: typeKey,
    name: z.optional(name),
    enabled: z.optional(z.boolean()),
    public: z.optional(z.boolean()),
    remark: z.optional(remark),
    version,
  }),
  data: dictType,
  errors: ['dict.type_not_found', 'version_conflict'],
  handler: ({ body: { type_key, version, ...changes } }) => editDictType(type_key, version, changes),
});
