import * as z from 'zod/mini';
import { adminEntity } from '#shared/auth/principal.ts';
import { mediaUrl } from '#shared/media/media-url.ts';
import { components } from '#shared/schema/component.ts';
import { label, secret } from '#shared/schema/marks.ts';
import { recordId, text } from '#shared/schema/text.ts';

export const account = label(
  z.string().check(z.regex(/^[a-z][a-z0-9_.-]{2,31}$/, { error: 'rule.account' })),
);
/** Not trimmed: spaces count. */
export const password = secret(z.string().check(z.minLength(8), z.maxLength(128)));
export const adminName = label(text(1, 50));
export const avatar = mediaUrl(z.maxLength(500));
export const status = z.enum(['enabled', 'disabled']);

/** An administrator as answered: the row, with stricter texts. */
export const adminData = z
  .strictObject({
    ...adminEntity.row.shape,
    ...{ id: recordId, account, avatar, super: z.boolean(), role_ids: z.array(recordId) },
    ...{ last_login_at: z.nullable(z.iso.datetime()), created_at: z.iso.datetime() },
  })
  .register(components, { id: 'Administrator' });
