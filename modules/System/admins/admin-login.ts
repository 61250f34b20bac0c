import { hashPassword, verifyNothing, verifyPassword } from '#shared/auth/password.ts';
import { type AdminPrincipal, adminPrincipals } from '#shared/auth/principal.ts';
import { prepareSession } from '#shared/auth/session.ts';
import { unauthorized } from '#shared/auth/token.ts';
import { withInvalidation } from '#shared/cache/versioned-cache.ts';
import { partitionOf, queryRows } from '#shared/db/entity.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { transact } from '#shared/db/items.ts';
import { changeItem } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { type AdminRecord, adminRecords, admins, findAdminByAccount } from './admin-record.ts';

const loginTries = 3;

export interface AdminLogin {
  token: string;
  /** Absolute end, ISO 8601. */
  expires_at: string;
  admin: AdminPrincipal;
}

/**
 * Logs an administrator in. An unknown account costs the same reads and the same hashing as a wrong
 * password, and gets the same answer.
 *
 * @param address the client's, recorded as the last login's
 * @param glimpsed what {@link glimpseAdmin} found
 * @throws AppError `auth.credentials_invalid`; `auth.principal_disabled` only to who knows the password
 */
export async function loginAdmin(
  account: string,
  password: string,
  address: string,
  glimpsed?: AdminRecord,
): Promise<AdminLogin> {
  let glimpse = glimpsed;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryLogin(glimpse ?? (await findAdminByAccount(account)), password, address);
    } catch (error) {
      const isChanged = error instanceof ConditionError;
      const isRefused = error instanceof AppError && error.status === 401;
      const isWorthAnother = isChanged || (isRefused && glimpse && (await isOutdated(glimpse, account)));
      if (!isWorthAnother) throw error;
      // The record changed meanwhile, perhaps by a login beside this one: it is looked at anew.
      if (attempt === loginTries) throw new AppError('auth.credentials_invalid', { cause: error });
      glimpse = undefined;
    }
  }
}

/**
 * The record of an account as an index has it, in one read: it may be a moment old. Good enough to let in by,
 * since the login's transaction holds it against the record; nobody is refused by it alone.
 */
export async function glimpseAdmin(account: string): Promise<AdminRecord | undefined> {
  const partition = partitionOf(admins.indexes.byAccount, {});
  const { rows } = await queryRows(adminRecords, { ...partition, equals: account, limit: 1 });
  return rows[0];
}

/** Whether what a login was refused by has changed since the index had it. */
async function isOutdated(glimpse: AdminRecord, account: string): Promise<boolean> {
  const item = await findAdminByAccount(account);
  return item?.password_hash !== glimpse.password_hash || item?.status !== glimpse.status;
}

async function tryLogin(
  record: AdminRecord | undefined,
  password: string,
  address: string,
): Promise<AdminLogin> {
  const check = record ? verifyPassword(password, record.password_hash) : verifyNothing(password);
  const { isValid, isStale } = await check;
  if (!record || !isValid) throw new AppError('auth.credentials_invalid');
  if (record.status !== 'enabled') throw unauthorized('auth.principal_disabled');

  const { password_hash, session_epoch, ...admin } = record;
  const session = prepareSession('admin', admin.id, session_epoch);
  const login = { last_login_at: new Date().toISOString(), last_login_ip: address };
  const newHash = isStale ? await hashPassword(password) : password_hash;
  const update = changeItem(admins.key(admin), {
    set: { ...login, password_hash: newHash },
    // What was checked above must still stand when the session begins.
    expect: { password_hash, session_epoch },
  });
  await withInvalidation(adminPrincipals, [admin.id], () => transact([update, session.write]));
  return { token: session.token, expires_at: session.expiresAt, admin: { ...admin, ...login } };
}
