import * as z from 'zod/mini';
import { getRow } from '#shared/db/entity.ts';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import { variantNames } from '#shared/storage/naming/variant-path.ts';
import { linkMinutes, signFileUrl } from '../../files/manager/sign-file-url.ts';
import { files } from '../../files/records/file-record.ts';
import { storageErrors } from '../../files/uploads/schema.ts';

const variantSize = titled(
  {
    zh_CN: '缩略图尺寸',
    en: 'Size of a variant',
    options: {
      thumb: { zh_CN: '160 像素', en: '160 pixels' },
      small: { zh_CN: '320 像素', en: '320 pixels' },
      medium: { zh_CN: '640 像素', en: '640 pixels' },
      large: { zh_CN: '1280 像素', en: '1280 pixels' },
      xlarge: { zh_CN: '1920 像素', en: '1920 pixels' },
    },
  },
  z.optional(z.enum(variantNames)),
);

export default admin.get({
  summary: { zh_CN: '文件链接', en: 'A link to a file' },
  // Each request is an entry of the audit log.
  middleware: ['throttle:admin-change'],
  query: z.object({ id: recordId, size: variantSize }),
  data: z.strictObject({
    url: titled({ zh_CN: '访问地址', en: 'URL' }, z.string()),
    expires_at: titled({ zh_CN: '过期时间', en: 'Expires', type: 'time' }, z.nullable(z.string())),
  }),
  storage: true,
  errors: ['file.not_found', 'file.no_variants', ...storageErrors],
  // Who got a link to a private file can read it.
  audit: 'read',
  reference: {
    description: {
      zh_CN: `私有文件的链接有效 ${linkMinutes} 分钟，撤销权限也不会使已发出的链接失效；公开文件返回其地址，不会过期。`,
      en: `A link to a private file is valid for ${linkMinutes} minutes, also if the right is withdrawn meanwhile. A public file's address does not expire.`,
    },
  },
  prefetch: ({ query: { id } }) => getRow(files, { id }),
  handler: ({ prefetched, query }) => signFileUrl(prefetched, query.size),
});
