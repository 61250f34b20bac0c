import * as z from 'zod/mini';
import { userEntity } from '#shared/auth/principal.ts';
import { createProfiles } from '#shared/auth/profiles.ts';
import { status } from '#shared/schema/fields.ts';
import { titled } from '#shared/schema/titled.ts';

/** The attributes of an end user that are answered, the mobile in the clear. */
export const storedUser = z.object({
  id: z.string(),
  sn: titled({ zh_CN: '用户编号', en: 'User number' }, z.string()),
  mobile: titled({ zh_CN: '手机号', en: 'Mobile' }, z.optional(z.string())),
  nickname: titled({ zh_CN: '昵称', en: 'Nickname' }, z.string()),
  avatar: z.string(),
  status,
  created_at: z.string(),
});

/** `13812340000` → `138****0000`. */
export const maskMobile = (mobile: string | undefined): string | null =>
  mobile?.replace(/^(\d{3})\d{4}/, '$1****') ?? null;

/** End users as answered, the mobile masked. */
export const publicUsers = {
  ...userEntity,
  row: z.pipe(
    storedUser,
    z.transform((user) => ({ ...user, mobile: maskMobile(user.mobile) })),
  ),
};
export type User = z.infer<typeof publicUsers.row>;

export const userProfiles = createProfiles('user', publicUsers);
