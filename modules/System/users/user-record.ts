import * as z from 'zod/mini';
import { toUser, type UserPrincipal } from '#shared/auth/principal.ts';
import type { Item } from '#shared/db/items.ts';
import { terminals, type WechatApp } from './terminal.ts';

/** Attribute that holds a user's open ID at one of our WeChat accounts. */
export const openIdAttributes = {
  mini: 'mini_open_id',
  official: 'official_open_id',
} as const satisfies Record<WechatApp, string>;

const stored = z.object({
  mobile: z.optional(z.string()),
  password_hash: z.optional(z.string()),
  session_epoch: z.number(),
  mini_open_id: z.optional(z.string()),
  official_open_id: z.optional(z.string()),
  last_login_at: z.nullable(z.string()),
  terminal: z.nullable(z.literal(Object.values(terminals))),
});

/** A user as stored: the public part, and what only this module may see. */
export interface UserRecord extends z.infer<typeof stored> {
  user: UserPrincipal;
}

/** Reads the item of a user. */
export function toUserRecord(item: Item): UserRecord {
  return { ...z.parse(stored, item), user: toUser(item) };
}
