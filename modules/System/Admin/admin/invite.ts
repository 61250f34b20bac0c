import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import { account, adminName, assignedRoles, avatar, isSuper } from '../../admins/schema.ts';
import { invite } from '../../invitations/invite.ts';
import { holdsAll } from '../../roles/rights.ts';

export default admin.post({
  summary: { zh_CN: '邀请管理员', en: 'Invite an administrator' },
  sensitive: true,
  recentFactor: true,
  body: z.strictObject({
    account,
    name: adminName,
    avatar: z.optional(avatar),
    role_ids: z.optional(assignedRoles),
    super: z.optional(isSuper),
  }),
  data: z.strictObject({
    id: recordId,
    url: titled(
      { zh_CN: '邀请链接，请转交给本人', en: 'Link, for the invited alone', type: 'id' },
      z.string(),
    ),
    expires_at: titled({ zh_CN: '过期时间', en: 'Expires' }, z.iso.datetime()),
  }),
  needs: ['permissions'],
  errors: ['admin.account_exists', 'role.not_found', 'role.exceeds', 'version_conflict'],
  reference: {
    description: {
      zh_CN: '链接 3 天内有效，只能使用一次。对尚未接受邀请的账号再次调用会换发链接，其角色不变。',
      en: 'The link is good once, for 3 days. For an account that has not accepted, it replaces the former link; name and roles stay.',
    },
  },
  handler: async ({ adminId, admin: caller, body, permissions }) => {
    const { role_ids = [], super: isSuper = false, ...given } = body;
    const roleIds = [...new Set(role_ids)];
    const check = holdsAll(caller, permissions);
    await check?.({ role_ids: roleIds, super: isSuper });
    return invite({ ...given, isSuper, roleIds }, adminId, check);
  },
});
