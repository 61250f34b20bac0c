import { ulid } from 'ulid';
import { hashPassword } from '#shared/auth/password.ts';
import type { AdminPrincipal } from '#shared/auth/principal.ts';
import { type CursorPage, readByCursor } from '#shared/db/cursor.ts';
import { getRow, partitionOf, putRow, queryRows, takeClaim } from '#shared/db/entity.ts';
import { getItem, type Key, type Refusal, transact, type Write } from '#shared/db/items.ts';
import { changeItem, removeItem } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import systemErrors from '../errors.ts';
import { assertOldPassword } from '../public/old-password.ts';
import { accountClaim, adminRecords, admins } from './admin-record.ts';

const enabledCounter: Key = { pk: 'COUNTER#ADMIN_ENABLED', sk: '0' };

export interface NewAdmin {
  account: string;
  name: string;
  password: string;
  avatar?: string;
  /** @default false */
  isSuper?: boolean;
}
export type AdminChanges = Partial<Pick<AdminPrincipal, 'name' | 'avatar' | 'status'>>;

/** @throws AppError `admin.not_found` */
export const getAdmin = (id: string): Promise<AdminPrincipal> => getRow(admins, { id });

export async function countEnabledAdmins(): Promise<number> {
  return Number((await getItem(enabledCounter))?.count ?? 0);
}

/** @throws AppError `admin.account_exists` */
export async function addAdmin({
  account,
  name,
  password,
  avatar = '',
  isSuper = false,
}: NewAdmin): Promise<AdminPrincipal> {
  const id = ulid();
  const admin: AdminPrincipal = {
    ...{ id, account, name, avatar, status: 'enabled', super: isSuper, role_ids: [] },
    ...{ last_login_at: null, last_login_ip: null, created_at: new Date().toISOString() },
  };
  const record = { ...admin, password_hash: await hashPassword(password), session_epoch: 1 };
  const isTaken = () => systemErrors.create('admin.account_exists');
  await transact([
    takeClaim(accountClaim(account), id, isTaken),
    putRow(adminRecords, record),
    countEnabled(1, id),
  ]);
  return admin;
}

/**
 * Changes an administrator; disabling raises the epoch, which ends every session.
 *
 * @throws AppError `admin.not_found`, `admin.last_enabled`, `version_conflict` if the status changed meanwhile
 */
export async function editAdmin(id: string, changes: AdminChanges): Promise<AdminPrincipal> {
  const { status: old } = await getAdmin(id);
  const { status = old } = changes;
  const isDisabling = status !== old && status === 'disabled';
  const change = {
    set: { ...changes, status },
    ...(isDisabling && { add: { session_epoch: 1 } }),
    expect: { status: old },
  };
  await transact([
    changeItem(admins.key({ id }), change, refuseConflict(id)),
    ...(status === old ? [] : [countEnabled(isDisabling ? -1 : 1, id)]),
  ]);
  return getAdmin(id);
}

/**
 * Deletes an administrator and frees the account.
 *
 * @throws AppError `admin.not_found`, `admin.last_enabled`, `version_conflict` if the status changed meanwhile
 */
export async function deleteAdmin(id: string): Promise<void> {
  const { account, status } = await getAdmin(id);
  await transact([
    removeItem(admins.key({ id }), { expect: { status } }, refuseConflict(id)),
    ...(status === 'enabled' ? [countEnabled(-1, id)] : []),
    removeItem(accountClaim(account)),
  ]);
}

/**
 * Sets a password; every session of the administrator ends.
 *
 * @param epoch expected epoch of the old password; any if absent
 * @throws AppError `admin.not_found`; `version_conflict` if the epoch differs
 */
export async function setAdminPassword(id: string, password: string, epoch?: number): Promise<void> {
  const change = {
    set: { password_hash: await hashPassword(password) },
    add: { session_epoch: 1 },
    expect: epoch === undefined ? {} : { session_epoch: epoch },
  };
  await transact([changeItem(admins.key({ id }), change, refuseConflict(id))]);
}

/**
 * Sets the password of an administrator who knows the old one; every session of the administrator ends.
 *
 * @throws AppError `request.invalid` for `body.old_password`; `admin.not_found`; `version_conflict` if the
 *   password was changed meanwhile
 */
export async function changeOwnPassword(id: string, password: string, oldPassword: string): Promise<void> {
  const { password_hash, session_epoch } = await getRow(adminRecords, { id });
  await assertOldPassword(oldPassword, password_hash);
  await setAdminPassword(id, password, session_epoch);
}

/** The write that counts enabled administrators. For -1, it fails if `id` is the last one. */
const countEnabled = (by: 1 | -1, id: string): Write =>
  changeItem(
    enabledCounter,
    { add: { count: by }, ...(by < 0 && { atLeast: { count: 2 } }) },
    refuse(id, () => systemErrors.create('admin.last_enabled')),
  );

const refuseConflict = (id: string): Refusal => refuse(id, () => new AppError('version_conflict'));

/** `admin.not_found` takes precedence over the error of `create`. */
const refuse = (id: string, create: () => AppError) => async () => {
  await getAdmin(id);
  return create();
};

/** A page of administrators, newest first, or those whose account begins with `account`, by account. */
export function listAdmins(query: {
  limit: number;
  cursor?: string;
  account?: string;
}): Promise<CursorPage<AdminPrincipal>> {
  const { limit, cursor, account } = query;
  const { byCreation, byAccount } = admins.indexes;
  const isNewestFirst = account === undefined;
  const partition = partitionOf(isNewestFirst ? byCreation : byAccount, {});
  return readByCursor(cursor, `admins ${JSON.stringify(account ?? null)}`, (start) =>
    queryRows(admins, { ...partition, limit, start, isNewestFirst, beginsWith: account || undefined }),
  );
}
