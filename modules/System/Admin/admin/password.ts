import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { secret } from '#shared/schema/marks.ts';
import { recordId } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import { changeOwnPassword, setAdminPassword } from '../../admins/admins.ts';
import { password } from '../../admins/schema.ts';
import { assertNewPassword } from '../../public/new-password.ts';
import { holdsAll } from '../../roles/rights.ts';

export default admin.post({
  summary: { zh_CN: '修改管理员密码', en: 'Set the password of an administrator' },
  right: 'handler',
  sensitive: true,
  recentFactor: true,
  body: z.strictObject({
    id: recordId,
    password,
    old_password: titled(
      { zh_CN: '原密码', en: 'Old password' },
      z.optional(secret(z.string().check(z.maxLength(128)))),
    ),
    /** For the own password: whether API tokens and connections stay. Those of another administrator always end. */
    keep_tokens: titled(
      { zh_CN: '保留令牌和连接', en: 'Keep tokens and connections' },
      z.optional(z.boolean()),
    ),
  }),
  data: z.null(),
  middleware: ['throttle:password'],
  needs: ['permissions'],
  errors: ['admin.not_found', 'role.exceeds', 'version_conflict'],
  // The own password is changed with the old one, the password of others with the permission.
  handler: async ({ adminId, admin: caller, requirePermission, body, permissions }) => {
    const { id, password, old_password = '', keep_tokens } = body;
    if (id === adminId) {
      await assertNewPassword(password, caller.account);
      return changeOwnPassword(id, password, old_password, keep_tokens);
    }
    requirePermission();
    const assertMayChange = holdsAll(caller, permissions);
    return setAdminPassword(id, password, async (stored) => {
      await assertMayChange?.(stored);
      await assertNewPassword(password, stored.account);
    });
  },
});
