import * as z from 'zod/mini';
import { getRow } from '#shared/db/entity.ts';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import { linkMinutes, signFileUrl } from '../../files/manager/sign-file-url.ts';
import { files } from '../../files/records/file-record.ts';
import { storageErrors } from '../../files/uploads/schema.ts';

export default admin.get({
  summary: { zh_CN: '文件链接', en: 'A link to a file' },
  // Each request is an entry of the audit log.
  middleware: ['throttle:admin-change'],
  query: z.object({ id: recordId }),
  data: z.strictObject({
    url: titled({ zh_CN: '访问地址', en: 'URL' }, z.string()),
    expires_at: titled({ zh_CN: '过期时间', en: 'Expires', type: 'time' }, z.nullable(z.string())),
  }),
  storage: true,
  errors: ['file.not_found', ...storageErrors],
  // Who got a link to a private file can read it.
  audit: 'read',
  reference: {
    description: {
      zh_CN: `私有文件的链接有效 ${linkMinutes} 分钟，撤销权限也不会使已发出的链接失效；公开文件返回其地址，不会过期。`,
      en: `A link to a private file is valid for ${linkMinutes} minutes, also if the right is withdrawn meanwhile. A public file's address does not expire.`,
    },
  },
  prefetch: ({ query }) => getRow(files, query),
  handler: ({ prefetched }) => signFileUrl(prefetched),
});
