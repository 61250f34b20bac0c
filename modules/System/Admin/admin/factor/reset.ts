import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import systemErrors from '../../../errors.ts';
import { resetFactor } from '../../../factors/reset-factor.ts';
import { assertHolds } from '../../../roles/rights.ts';

export default admin.post({
  summary: { zh_CN: '重置管理员的两步验证', en: 'Remove the second factor of an administrator' },
  sensitive: true,
  recentFactor: true,
  body: z.strictObject({ id: recordId }),
  target: 'admin:{id}',
  data: z.null(),
  errors: ['admin.not_found', 'admin.self', 'factor.not_set', 'role.exceeds', 'version_conflict'],
  reference: {
    description: {
      zh_CN: '仅超级管理员可用。该管理员的所有登录和令牌都会失效。',
      en: 'For super administrators. All logins and tokens of the administrator end.',
    },
  },
  handler: async ({ adminId, admin: caller, body: { id } }) => {
    if (id === adminId) throw systemErrors.create('admin.self');
    assertHolds(caller, { super: true, grants: [] }, []);
    await resetFactor(id);
  },
});
