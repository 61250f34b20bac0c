import * as z from 'zod/mini';
import { mediaUrl } from '#shared/media/media-url.ts';
import { components } from '#shared/schema/component.ts';
import { text } from '#shared/schema/text.ts';

export const account = z.string().check(z.regex(/^[a-z][a-z0-9_.-]{2,31}$/, { error: 'rule.account' }));
/** Not trimmed: spaces count. */
export const password = z.string().check(z.minLength(8), z.maxLength(128));
export const adminName = text(1, 50);
export const avatar = mediaUrl(z.maxLength(500));
export const adminId = z.string().check(z.regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, { error: 'rule.id' }));
export const status = z.enum(['enabled', 'disabled']);

export const adminData = z
  .strictObject({
    id: adminId,
    account,
    name: z.string(),
    avatar,
    status,
    last_login_at: z.nullable(z.iso.datetime()),
    last_login_ip: z.nullable(z.string()),
    created_at: z.iso.datetime(),
  })
  .register(components, { id: 'Administrator' });
