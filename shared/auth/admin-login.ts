import { ConditionError } from '#shared/db/errors.ts';
import { getItem, transact, type Write } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { hashPassword, verifyNothing, verifyPassword } from './password.ts';
import { type AdminPrincipal, adminPrincipals, toAdmin } from './principal.ts';
import { prepareSession } from './session.ts';
import { unauthorized } from './token.ts';

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
 * @throws AppError `auth.credentials_invalid`; `auth.principal_disabled` only to who knows the password
 */
export async function loginAdmin(account: string, password: string, address: string): Promise<AdminLogin> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryLogin(account, password, address);
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
      // The record changed meanwhile, perhaps by a login beside this one: it is looked at anew.
      if (attempt === loginTries) throw new AppError('auth.credentials_invalid', { cause: error });
    }
  }
}

async function tryLogin(account: string, password: string, address: string): Promise<AdminLogin> {
  const claim = await getItem(keys.adminAccount(account));
  const item = await getItem(keys.admin(String(claim?.id ?? 'nobody')));
  const hash = item ? String(item.password_hash) : undefined;
  const { isValid, isStale } = await (hash ? verifyPassword(password, hash) : verifyNothing(password));
  if (!item || !isValid) throw new AppError('auth.credentials_invalid');
  if (item.status !== 'enabled') throw unauthorized('auth.principal_disabled');

  const admin = {
    ...toAdmin(item),
    last_login_at: new Date().toISOString(),
    last_login_ip: address,
  };
  const session = prepareSession('admin', admin.id, Number(item.session_epoch));
  const newHash = isStale ? await hashPassword(password) : hash;
  const update: Write = {
    Update: {
      Key: { ...keys.admin(admin.id) },
      UpdateExpression: 'SET last_login_at = :at, last_login_ip = :ip, password_hash = :new',
      // What was checked above must still stand when the session begins.
      ConditionExpression: 'password_hash = :old AND session_epoch = :epoch',
      ExpressionAttributeValues: {
        ':at': admin.last_login_at,
        ':ip': address,
        ':new': newHash,
        ':old': hash,
        ':epoch': item.session_epoch,
      },
    },
  };
  try {
    await transact([update, session.write]);
  } finally {
    await adminPrincipals.invalidate([admin.id]);
  }
  return { token: session.token, expires_at: session.expiresAt, admin };
}
