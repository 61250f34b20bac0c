import { getUser, type User, users } from '#modules/System/public/user-records.ts';
import type { Status } from '#shared/auth/principal.ts';
import { transact } from '#shared/db/items.ts';
import { type Change, changeItem } from '#shared/db/writes.ts';

/** Changes a profile; without changes returns it. @throws AppError `user.not_found` */
export function editProfile(id: string, changes: { nickname?: string; avatar?: string }) {
  const isEmpty = Object.values(changes).every((value) => value === undefined);
  return isEmpty ? getUser(id) : change(id, { set: changes });
}

/** Enables or disables a user; disabling ends every session. @throws AppError `user.not_found` */
export const setUserStatus = (id: string, status: Status) =>
  change(id, { set: { status }, ...(status === 'disabled' && { add: { session_epoch: 1 } }) });

async function change(id: string, wanted: Change): Promise<User> {
  const write = changeItem(users.key({ id }), { ...wanted, expect: {} }, users.missing);
  await transact([write]);
  return getUser(id);
}
