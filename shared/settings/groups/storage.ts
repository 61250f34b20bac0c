import * as z from 'zod/mini';
import { defineConfigGroup, setting } from '../group.ts';

/** Where new files are stored. */
export const storage = defineConfigGroup({
  name: 'storage',
  keys: {
    // Any word, judged when it is used: one that names no engine must not be mistaken for one that is not set.
    default: setting({
      schema: z.string().check(z.trim(), z.maxLength(32)),
      default: '',
      description: {
        zh_CN: '默认存储引擎：local、qiniu、aliyun 或 qcloud；留空为 local',
        en: 'Engine of new files: local, qiniu, aliyun or qcloud; local if empty',
      },
    }),
  },
});
