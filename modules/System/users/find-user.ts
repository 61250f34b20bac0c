import { randomUUID } from 'node:crypto';
import { findClaim, findRow, getRow, toRow } from '#shared/db/entity.ts';
import { getItems } from '#shared/db/items.ts';
import type { User } from './profile.ts';
import type { UserDetail } from './schema.ts';
import type { OpenId } from './terminal.ts';
import { openIdAttributes, type UserRecord, userClaims, userLoginKey, users } from './user-record.ts';

/** The ID of the user who has a mobile. */
export const findMobileClaim = (mobile: string): Promise<string | undefined> =>
  findClaim(userClaims.mobile(mobile));

/** The user of a mobile. @param finding a {@link findMobileClaim} that has already started */
export const findUserByMobile = (
  mobile: string,
  finding = findMobileClaim(mobile),
): Promise<UserRecord | undefined> => followClaim(finding, (record) => record.mobile === mobile);

export const findUserByOpenId = ({ app, openId }: OpenId): Promise<UserRecord | undefined> =>
  followClaim(
    findClaim(userClaims.openId({ app, openId })),
    (record) => record[openIdAttributes[app]] === openId,
  );

/**
 * The user of a claim, if `isHolder` finds that it still has the value. A missing claim costs the same two reads, so
 * that the time reveals nothing; the second read then has a random key, so that no key becomes hot.
 */
async function followClaim(
  finding: Promise<string | undefined>,
  isHolder: (record: UserRecord) => boolean,
): Promise<UserRecord | undefined> {
  const claim = await finding;
  const record = await findRow(users, { id: claim ?? randomUUID() });
  return record && isHolder(record) ? record : undefined;
}

/** The stored user with hash and epoch; not for answers. @throws AppError `user.not_found` */
export const getUserRecord = (id: string): Promise<UserRecord> => getRow(users, { id });

/** @throws AppError `user.not_found` */
export async function getUserDetail(id: string): Promise<UserDetail> {
  const keys = [users.key({ id }), userLoginKey(id)];
  const items = await getItems(keys);
  const [item, login] = keys.map(({ pk }) => items.find((each) => each.pk === pk));
  if (!item) throw users.missing();
  const { user, last_login_at, terminal } = toRow(users, { ...item, ...login });
  return { ...user, last_login_at, terminal };
}

/** @throws AppError `user.not_found` */
export const getUser = async (id: string): Promise<User> => (await getUserRecord(id)).user;
