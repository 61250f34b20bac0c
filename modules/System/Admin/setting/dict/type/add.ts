import * as z from 'zod/mini';
import { dictType, name, remark, typeKey } from '#shared/dict/schema.ts';
import { addDictType } from '#shared/dict/types.ts';
import { admin } from '#shared/http/route.ts';

export default admin.post({
  summary: { zh_CN: '新增字典类型', en: 'Add a dictionary type' },
  body: z.strictObject({
    type_key: typeKey,
    name,
    // A type is created with an explicit choice (specification, "Dictionary type").
    enabled: z.boolean(),
    public: z.optional(z.boolean()),
    remark: z.optional(remark),
  }),
  data: dictType,
  errors: ['dict.type_exists'],
  handler: ({ body }) => addDictType(body),
});
