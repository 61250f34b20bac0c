import * as z from 'zod/mini';
import { userPrincipals } from '#shared/auth/principal.ts';
import { defineEntity } from '#shared/db/entity.ts';
import { type Key, singleKey } from '#shared/db/items.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import systemErrors from '../errors.ts';
import { maskMobile, publicUsers, storedUser, type User, userProfiles } from './profile.ts';
import { type OpenId, terminals, type WechatApp } from './terminal.ts';

export const openIdAttributes = {
  mini: 'mini_open_id',
  official: 'official_open_id',
} as const satisfies Record<WechatApp, string>;

const secrets = {
  password_hash: z.optional(z.string()),
  session_epoch: z.number(),
  mini_open_id: z.optional(z.string()),
  official_open_id: z.optional(z.string()),
  last_login_at: z.nullable(z.string()),
  terminal: z.nullable(z.literal(Object.values(terminals))),
};
const stored = z.extend(storedUser, secrets);
type Secrets = Pick<z.infer<typeof stored>, 'mobile' | keyof typeof secrets>;

/** A stored user: the public part, and attributes that are never sent to callers. */
export interface UserRecord extends Secrets {
  user: User;
}

export const users = defineEntity({
  ...publicUsers,
  mirror: [{ cache: userPrincipals }, userProfiles.mirror],
  row: z.pipe(
    stored,
    z.transform(
      ({ id, sn, nickname, avatar, status, created_at, ...rest }): UserRecord => ({
        ...rest,
        user: { id, sn, mobile: maskMobile(rest.mobile), nickname, avatar, status, created_at },
      }),
    ),
  ),
  indexes: { byCreation: { name: 'gsi1', pk: () => 'USER', sk: ({ user }) => user.id } },
  toAttributes: ({ user, mobile, ...rest }) => ({ ...user, mobile, ...rest }),
  missing: () => systemErrors.create('user.not_found'),
});

/** Keys of the items that claim a unique value for a user. An open ID is unique within its WeChat account. */
export const userClaims = {
  mobile: (mobile: string): Key => singleKey(`CLAIM#USER_MOBILE#${mobile}`),
  openId: ({ app, openId }: OpenId): Key => singleKey(`CLAIM#USER_OPEN_ID#${app}#${openId}`),
  sn: (sn: string): Key => singleKey(`CLAIM#USER_SN#${sn}`),
};

/** Item of the last login. It is not part of the user, so a login writes no index and clears no cache. */
export const userLoginKey = (id: string): Key => singleKey(`USER_LOGIN#${id}`);

export const writtenKeys: ListWrittenKeys = () => [
  users.key({ id: '*' }).pk,
  userLoginKey('*').pk,
  'CLAIM#USER_*',
];
