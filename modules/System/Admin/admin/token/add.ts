import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import { addApiToken, newApiToken } from '../../../admins/api-tokens.ts';
import { assertCovering } from '../../../roles/rights.ts';

export default admin.post({
  summary: { zh_CN: '新增自己的 API 令牌（只显示一次）', en: 'Add an API token; it is shown once' },
  right: 'login',
  body: newApiToken,
  data: z.strictObject({
    id: recordId,
    token: titled({ zh_CN: '令牌', en: 'Token' }, z.string()),
    expires_at: titled({ zh_CN: '过期时间', en: 'Expires' }, z.iso.datetime()),
  }),
  needs: ['permissions'],
  errors: ['version_conflict'],
  reference: { issues: 'apiToken' },
  handler: ({ adminId, body, permissions, locale }) => {
    assertCovering(body.grants ?? [], permissions);
    return addApiToken(adminId, body, locale);
  },
});
