import * as z from 'zod/mini';
import { importDictItems, importItem, importModes } from '#shared/dict/import.ts';
import { maxImportItems, typeKey } from '#shared/dict/schema.ts';
import { admin } from '#shared/http/route.ts';
import { titled } from '#shared/schema/titled.ts';

const items = titled(
  { zh_CN: '字典项', en: 'Items' },
  z.array(importItem).check(
    z.maxLength(maxImportItems),
    z.refine((list) => new Set(list.map(({ value }) => value)).size === list.length, {
      error: 'rule.duplicate',
    }),
  ),
);

const mode = titled(
  {
    zh_CN: '方式',
    en: 'Mode',
    options: {
      merge: { zh_CN: '合并', en: 'Merge' },
      replace: { zh_CN: '替换', en: 'Replace' },
    },
  },
  z.enum(importModes),
);

export default admin.post({
  summary: { zh_CN: '导入字典项', en: 'Import dictionary items' },
  body: z.strictObject({ type_key: typeKey, items, mode }),
  target: 'dict_type:{type_key}',
  data: z.strictObject({
    added: titled({ zh_CN: '新增', en: 'Added' }, z.int()),
    changed: titled({ zh_CN: '修改', en: 'Changed' }, z.int()),
    removed: titled({ zh_CN: '删除', en: 'Removed' }, z.int()),
  }),
  limits: { timeoutSeconds: 29 },
  errors: [
    'dict.type_not_found',
    'dict.type_full',
    'dict.import_running',
    'dict.value_in_use',
    'version_conflict',
  ],
  reference: {
    description: {
      zh_CN:
        '`merge` 保留未列出的数据，`replace` 删除它们。同一类型同时只能有一个导入；重复同一请求可完成中断的导入。',
      en: '`merge` keeps items that are not listed, `replace` removes them. One import of a type runs at a time; repeating the same request finishes an interrupted one.',
    },
  },
  handler: ({ body }) => importDictItems(body.type_key, body.items, body.mode),
});
