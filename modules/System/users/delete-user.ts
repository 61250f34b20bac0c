import { getRow, versionConflict } from '#shared/db/entity.ts';
import { transact } from '#shared/db/items.ts';
import { removeItem } from '#shared/db/writes.ts';
import { countUser } from './counters.ts';
import { userClaims, userLoginKey, users } from './user-record.ts';

/**
 * Deletes a user, frees number, mobile and open IDs, and takes the user out of the counters. Every session ends.
 *
 * @throws AppError `user.not_found`; `version_conflict` if mobile or open IDs changed meanwhile
 */
export async function deleteUser(id: string): Promise<void> {
  const { user, mobile, mini_open_id, official_open_id, terminal } = await getRow(users, { id });
  const claims = [
    userClaims.sn(user.sn),
    ...(mobile ? [userClaims.mobile(mobile)] : []),
    ...(mini_open_id ? [userClaims.openId({ app: 'mini', openId: mini_open_id })] : []),
    ...(official_open_id ? [userClaims.openId({ app: 'official', openId: official_open_id })] : []),
  ];
  await transact([
    removeItem(users.key({ id }), { expect: { mobile, mini_open_id, official_open_id } }, versionConflict),
    removeItem(userLoginKey(id)),
    ...claims.map((key) => removeItem(key)),
    ...(terminal === null ? [] : countUser(-1, terminal, new Date(user.created_at))),
  ]);
}
