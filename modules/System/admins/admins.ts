import { ulid } from 'ulid';
import { hashPassword, verifyPassword } from '#shared/auth/password.ts';
import { type AdminPrincipal, adminPrincipals } from '#shared/auth/principal.ts';
import { withInvalidation } from '#shared/cache/versioned-cache.ts';
import { type CursorPage, readByCursor } from '#shared/db/cursor.ts';
import { getRow, partitionOf, putRow, queryRows, takeClaim } from '#shared/db/entity.ts';
import { getItem, type Key, type Refusal, transact, type Write } from '#shared/db/items.ts';
import { changeItem, removeItem } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import systemErrors from '../errors.ts';
import { accountClaim, adminRecords, admins } from './admin-record.ts';

const enabledCounter: Key = { pk: 'COUNTER#ADMIN_ENABLED', sk: '0' };

export interface NewAdmin {
  account: string;
  name: string;
  password: string;
  avatar?: string;
}
export type AdminChanges = Partial<Pick<AdminPrincipal, 'name' | 'avatar' | 'status'>>;

/** @throws AppError `admin.not_found` */
export const getAdmin = (id: string): Promise<AdminPrincipal> => getRow(admins, { id });

/** How many administrators are enabled, from their counter. */
export async function countEnabledAdmins(): Promise<number> {
  const counter = await getItem(enabledCounter);
  return Number(counter?.count ?? 0);
}

/** @throws AppError `admin.account_exists` */
export async function addAdmin({ account, name, password, avatar = '' }: NewAdmin): Promise<AdminPrincipal> {
  const id = ulid();
  const admin: AdminPrincipal = {
    ...{ id, account, name, avatar, status: 'enabled' },
    ...{ last_login_at: null, last_login_ip: null, created_at: new Date().toISOString() },
  };
  const record = { ...admin, password_hash: await hashPassword(password), session_epoch: 1 };
  const isTaken = () => systemErrors.create('admin.account_exists');
  await transact([
    takeClaim(accountClaim(account), id, isTaken),
    putRow(adminRecords, record),
    countEnabled(1),
  ]);
  await adminPrincipals.invalidate([id]);
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
  await write(id, [
    changeItem(
      admins.key({ id }),
      change,
      refuse(id, () => new AppError('version_conflict')),
    ),
    ...(status === old
      ? []
      : [
          countEnabled(
            isDisabling ? -1 : 1,
            refuse(id, () => systemErrors.create('admin.last_enabled')),
          ),
        ]),
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
  await write(id, [
    removeItem(
      admins.key({ id }),
      { expect: { status } },
      refuse(id, () => new AppError('version_conflict')),
    ),
    ...(status === 'enabled'
      ? [
          countEnabled(
            -1,
            refuse(id, () => systemErrors.create('admin.last_enabled')),
          ),
        ]
      : []),
    removeItem(accountClaim(account)),
  ]);
}

/**
 * Sets a password; every session of the administrator ends.
 *
 * @param epoch the one of the password that it replaces; any if absent
 * @throws AppError `admin.not_found`; `version_conflict` if the epoch is another
 */
export async function setAdminPassword(id: string, password: string, epoch?: number): Promise<void> {
  const change = {
    set: { password_hash: await hashPassword(password) },
    add: { session_epoch: 1 },
    // Whoever changed the password first raised the epoch too.
    expect: epoch === undefined ? {} : { session_epoch: epoch },
  };
  await write(id, [
    changeItem(
      admins.key({ id }),
      change,
      refuse(id, () => new AppError('version_conflict')),
    ),
  ]);
}

/**
 * Sets the password of an administrator who knows the old one; every session of the administrator ends.
 *
 * @throws AppError `request.invalid` for `body.old_password`; `admin.not_found`; `version_conflict` if the
 *   old one was changed meanwhile
 */
export async function changeOwnPassword(id: string, password: string, oldPassword: string): Promise<void> {
  const { password_hash, session_epoch } = await getRow(adminRecords, { id });
  const { isValid } = await verifyPassword(oldPassword, password_hash);
  if (!isValid) {
    throw new AppError('request.invalid', {
      errors: [{ path: 'body.old_password', message: 'rule.old_password' }],
    });
  }
  await setAdminPassword(id, password, session_epoch);
}

/** The write that moves the number of enabled administrators. It fails if it would take the last one. */
const countEnabled = (by: 1 | -1, refusal?: Refusal): Write =>
  changeItem(enabledCounter, { add: { count: by }, ...(by < 0 && { atLeast: { count: 2 } }) }, refusal);

const refuse = (id: string, create: () => AppError) => async () => {
  await getAdmin(id);
  return create();
};

const write = (id: string, writes: Write[]): Promise<void> =>
  withInvalidation(adminPrincipals, [id], () => transact(writes));

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
