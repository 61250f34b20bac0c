import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import { addApiToken, newApiToken } from '../../../admins/api-tokens.ts';
import { confirmPassword } from '../../../admins/confirm-password.ts';
import { ownPassword } from '../../../admins/schema.ts';
import { assertCovering } from '../../../roles/rights.ts';

export default admin.post({
  summary: { zh_CN: '新增自己的 API 令牌（只显示一次）', en: 'Add an API token; it is shown once' },
  right: 'login',
  recentFactor: true,
  body: z.extend(newApiToken, { password: ownPassword }),
  data: z.strictObject({
    id: recordId,
    token: titled({ zh_CN: '令牌', en: 'Token' }, z.string()),
    expires_at: titled({ zh_CN: '过期时间', en: 'Expires' }, z.iso.datetime()),
  }),
  middleware: ['throttle:password'],
  needs: ['permissions'],
  errors: ['version_conflict'],
  reference: { issues: 'apiToken' },
  handler: async ({ adminId, body: { password, ...token }, permissions, locale }) => {
    assertCovering(token.grants ?? [], permissions);
    // A login that was left open must not make a token.
    const epoch = await confirmPassword(adminId, password);
    return addApiToken({ id: adminId, epoch, locale }, token);
  },
});
