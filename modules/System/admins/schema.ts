import * as z from 'zod/mini';
import { mediaUrl } from '#shared/media/media-url.ts';
import { components } from '#shared/schema/component.ts';
import { createdAt, status } from '#shared/schema/fields.ts';
import { label, secret } from '#shared/schema/marks.ts';
import { recordId, text } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import { admins } from './admin-record.ts';

export const account = titled(
  { zh_CN: '账号', en: 'Account' },
  label(z.string().check(z.regex(/^[a-z][a-z0-9_.-]{2,31}$/, { error: 'rule.account' }))),
);
/** Not trimmed: spaces count. */
export const password = titled(
  { zh_CN: '密码', en: 'Password' },
  secret(z.string().check(z.minLength(8), z.maxLength(128))),
);
/** The password of the moment, of who is logged in. */
export const ownPassword = titled(
  { zh_CN: '您的密码', en: 'Your password' },
  secret(z.string().check(z.maxLength(128))),
);
export const adminName = titled({ zh_CN: '姓名', en: 'Name' }, label(text(1, 50)));
export const avatar = titled({ zh_CN: '头像', en: 'Avatar', media: 'image' }, mediaUrl(z.maxLength(500)));
/** IDs of roles. */
export const roleIds = titled({ zh_CN: '角色', en: 'Roles', refersTo: 'system/role' }, z.array(recordId));
/** Roles that an administrator gets. */
export const assignedRoles = roleIds.check(z.maxLength(10));
export { status };

/** Whether everything is permitted. */
export const isSuper = titled({ zh_CN: '超级管理员', en: 'Super administrator' }, z.boolean());
const hasTwoFactor = titled({ zh_CN: '两步验证', en: 'Second factor' }, z.boolean());
const hasPassword = titled({ zh_CN: '已设密码', en: 'Has a password' }, z.boolean());
const lastLoginAt = titled({ zh_CN: '最后登录时间', en: 'Last login' }, z.nullable(z.iso.datetime()));

/** An administrator as answered: the row, with stricter texts. */
export const adminData = z
  .strictObject({
    ...admins.row.shape,
    id: recordId,
    account,
    avatar,
    super: isSuper,
    role_ids: roleIds,
    two_factor: hasTwoFactor,
    has_password: hasPassword,
    last_login_at: lastLoginAt,
    created_at: createdAt,
  })
  .register(components, { id: 'Administrator' });
