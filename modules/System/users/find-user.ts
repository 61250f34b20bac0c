import { randomUUID } from 'node:crypto';
import type { UserPrincipal } from '#shared/auth/principal.ts';
import { getItem, getItems, type Item } from '#shared/db/items.ts';
import { type Key, keys } from '#shared/db/keys.ts';
import systemErrors from '../errors.ts';
import type { UserDetail } from './schema.ts';
import type { OpenId } from './terminal.ts';
import { openIdAttributes, toUserRecord, type UserRecord } from './user-record.ts';

/** What says whose a mobile is. */
export const findMobileClaim = (mobile: string): Promise<Item | undefined> =>
  getItem(keys.userMobile(mobile));

/**
 * The user of a mobile.
 *
 * @param finding the search for its claim where it has begun already
 */
export const findUserByMobile = (
  mobile: string,
  finding = findMobileClaim(mobile),
): Promise<UserRecord | undefined> => followClaim(finding, (record) => record.mobile === mobile);

/** The user of an open ID. */
export const findUserByOpenId = ({ app, openId }: OpenId): Promise<UserRecord | undefined> =>
  followClaim(getItem(keys.userOpenId(app, openId)), (record) => record[openIdAttributes[app]] === openId);

/**
 * The user whom a claim names. A claim that is not there costs the same two reads, so that the time does not
 * tell; the second reads a key that no user has, another each time, so that none becomes hot.
 *
 * @param isHolder whether the user has still what is claimed: it may have been let go since the claim was read
 */
async function followClaim(
  finding: Promise<Item | undefined>,
  isHolder: (record: UserRecord) => boolean,
): Promise<UserRecord | undefined> {
  const claim = await finding;
  const item = await getItem(keys.user(String(claim?.id ?? randomUUID())));
  const record = item && toUserRecord(item);
  return record && isHolder(record) ? record : undefined;
}

/** The stored user with hash and epoch; for this module only. @throws AppError `user.not_found` */
export async function getUserRecord(id: string): Promise<UserRecord> {
  const item = await getItem(keys.user(id));
  if (!item) throw systemErrors.create('user.not_found');
  return toUserRecord(item);
}

/** @throws AppError `user.not_found` */
export async function getUserDetail(id: string): Promise<UserDetail> {
  const items = await getItems([keys.user(id), keys.userLogin(id)]);
  const find = ({ pk }: Key) => items.find((item) => item.pk === pk);
  const [item, login] = [find(keys.user(id)), find(keys.userLogin(id))];
  if (!item) throw systemErrors.create('user.not_found');
  const { user, last_login_at, terminal } = toUserRecord({ ...item, ...login });
  return { ...user, last_login_at, terminal };
}

/** @throws AppError `user.not_found` */
export async function getUser(id: string): Promise<UserPrincipal> {
  return (await getUserRecord(id)).user;
}
