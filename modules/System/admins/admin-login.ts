import { hashPassword, verifyNothing, verifyPassword } from '#shared/auth/password.ts';
import { type AdminPrincipal, adminPrincipals, toAdmin } from '#shared/auth/principal.ts';
import { prepareSession } from '#shared/auth/session.ts';
import { unauthorized } from '#shared/auth/token.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { getItem, type Item, queryPage, transact, type Write } from '#shared/db/items.ts';
import { indexes, keys } from '#shared/db/keys.ts';
import { AppError } from '#shared/errors/app-error.ts';

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
  glimpsed?: Item,
): Promise<AdminLogin> {
  let glimpse = glimpsed;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryLogin(glimpse ?? (await findAdmin(account)), password, address);
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
export async function glimpseAdmin(account: string): Promise<Item | undefined> {
  const { name, pk } = indexes.adminsByAccount;
  const { items } = await queryPage({
    IndexName: name,
    KeyConditionExpression: `${name}pk = :pk AND ${name}sk = :account`,
    ExpressionAttributeValues: { ':pk': pk, ':account': account },
    Limit: 1,
  });
  return items[0];
}

async function findAdmin(account: string): Promise<Item | undefined> {
  const claim = await getItem(keys.adminAccount(account));
  return getItem(keys.admin(String(claim?.id ?? 'nobody')));
}

/** Whether what a login was refused by has changed since the index had it. */
async function isOutdated(glimpse: Item, account: string): Promise<boolean> {
  const item = await findAdmin(account);
  return item?.password_hash !== glimpse.password_hash || item?.status !== glimpse.status;
}

async function tryLogin(item: Item | undefined, password: string, address: string): Promise<AdminLogin> {
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
