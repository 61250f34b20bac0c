import * as z from 'zod/mini';
import { components } from '#shared/schema/component.ts';
import { label } from '#shared/schema/marks.ts';
import { recordId, text } from '#shared/schema/text.ts';

export const roleName = label(text(1, 50));
export const roleRemark = text(0, 200);

const grantPattern = /^[a-zA-Z0-9._-]+(?:\/[a-zA-Z0-9._-]+)*:(?:read|write)$/;
/** `prefix:read` or `prefix:write`. */
export const grant = label(
  z.string().check(z.maxLength(200), z.regex(grantPattern, { error: 'rule.grant' })),
);
/** At most 200 (capabilities, section 1). */
export const grants = z.array(grant).check(z.maxLength(200));

export const roleData = z
  .strictObject({
    id: recordId,
    name: roleName,
    remark: z.string(),
    grants: z.array(z.string()),
    version: z.int(),
    /** Administrators who have this role. */
    admin_count: z.int(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .register(components, { id: 'Role' });
export type Role = z.infer<typeof roleData>;
