import { settleAll } from '#shared/async/settle-all.ts';
import { identifyCaller } from '#shared/audit/recording.ts';
import { prepareSession } from '#shared/auth/new-session.ts';
import { hashPassword, verifyNothing, verifyPassword } from '#shared/auth/password.ts';
import { unauthorized } from '#shared/auth/token.ts';
import { partitionOf, queryRows } from '#shared/db/entity.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { transact } from '#shared/db/items.ts';
import { changeItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import systemErrors from '../errors.ts';
import { type Admin, type AdminRecord, adminRecords, admins, findAdminByAccount } from './admin-record.ts';

interface AdminLogin {
  token: string;
  expires_at: string;
  admin: Admin;
}

/**
 * Logs an administrator in. An unknown account and a wrong password get the same answer at the same cost.
 *
 * @param address of the client, stored with the login
 * @param indexed result of {@link findIndexedAdmin}
 * @param accept called beside the write if the password is right
 * @throws AppError `auth.credentials_invalid`; `auth.principal_disabled`, but only if the password is correct
 */
export async function loginAdmin(
  account: string,
  password: string,
  address: string,
  indexed?: AdminRecord,
  accept?: () => Promise<void>,
): Promise<AdminLogin> {
  let stale = indexed;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryLogin(stale ?? (await findAdminByAccount(account)), password, address, accept);
    } catch (error) {
      const isChanged = error instanceof ConditionError;
      const isRefused = error instanceof AppError && error.status === 401;
      const isWorthAnother = isChanged || (isRefused && stale && (await isOutdated(stale, account)));
      if (!isWorthAnother) throw error;
      // The record has changed, perhaps by another login at the same time: read it again.
      if (attempt === 3) throw systemErrors.create('auth.credentials_invalid', { cause: error });
      stale = undefined;
    }
  }
}

/**
 * Finds the record of an account in an index, in one read. It may be slightly old: the transaction of a login
 * checks it, and a login is never refused because of it alone.
 */
export async function findIndexedAdmin(account: string): Promise<AdminRecord | undefined> {
  const partition = partitionOf(admins.indexes.byAccount, {});
  const { rows } = await queryRows(adminRecords, { ...partition, equals: account, limit: 1 });
  return rows[0];
}

/** Whether password or status have changed since the index was written. */
async function isOutdated(indexed: AdminRecord, account: string): Promise<boolean> {
  const item = await findAdminByAccount(account);
  return item?.password_hash !== indexed.password_hash || item?.status !== indexed.status;
}

async function tryLogin(
  record: AdminRecord | undefined,
  password: string,
  address: string,
  accept?: () => Promise<void>,
): Promise<AdminLogin> {
  if (record) identifyCaller(record);
  const check = record ? verifyPassword(password, record.password_hash) : verifyNothing(password);
  const { isValid, isStale } = await check;
  if (!record || !isValid) throw systemErrors.create('auth.credentials_invalid');
  if (record.status !== 'enabled') throw unauthorized('auth.principal_disabled');

  const { password_hash, session_epoch, token_epoch, ...admin } = record;
  const session = prepareSession('admin', admin.id, session_epoch);
  const login = { last_login_at: new Date().toISOString(), last_login_ip: address };
  const newHash = isStale ? await hashPassword(password) : password_hash;
  const update = changeItem(admins.key(admin), {
    set: { ...login, password_hash: newHash },
    // The record must not have changed since it was checked.
    expect: { password_hash, session_epoch },
  });
  await settleAll([transact([update, session.write]), accept?.()]);
  return { token: session.token, expires_at: session.expiresAt, admin: { ...admin, ...login } };
}

/** The last login, the hash at today's cost, and what the condition compares: never status or rights (decision 0035). */
export const writtenKeys: ListWrittenKeys = () => [
  {
    keys: admins.key({ id: '*' }).pk,
    actions: ['UpdateItem'],
    attributes: ['pk', 'sk', 'last_login_at', 'last_login_ip', 'password_hash', 'session_epoch'],
  },
];
