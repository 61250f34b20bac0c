import * as z from 'zod/mini';
import { components } from '#shared/schema/component.ts';
import { createdAt, updatedAt } from '#shared/schema/fields.ts';
import { label } from '#shared/schema/marks.ts';
import { recordId, text } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';

export const roleName = titled({ zh_CN: '名称', en: 'Name' }, label(text(1, 50)));
export const roleRemark = titled({ zh_CN: '备注', en: 'Remark', type: 'multiline' }, text(0, 200));

const grantPattern = /^[a-zA-Z0-9._-]+(?:\/[a-zA-Z0-9._-]+)*:(?:read|write)$/;
/** `prefix:read` or `prefix:write`. */
export const grant = label(
  z.string().check(z.maxLength(200), z.regex(grantPattern, { error: 'rule.grant' })),
);
/** At most 200 (capabilities, section 1). */
export const grants = titled({ zh_CN: '权限', en: 'Permissions' }, z.array(grant).check(z.maxLength(200)));

export const roleData = z
  .strictObject({
    id: recordId,
    name: roleName,
    remark: titled({ zh_CN: '备注', en: 'Remark', type: 'multiline' }, z.string()),
    grants: titled({ zh_CN: '权限', en: 'Permissions' }, z.array(z.string())),
    version: titled({ zh_CN: '版本', en: 'Version' }, z.int()),
    /** Administrators who have this role. */
    admin_count: titled({ zh_CN: '管理员数', en: 'Administrators' }, z.int()),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .register(components, { id: 'Role' });
export type Role = z.infer<typeof roleData>;
