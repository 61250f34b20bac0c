import { getUserRecord, type UserRecord, users } from '#modules/System/public/user-records.ts';
import { settleAll } from '#shared/async/settle-all.ts';
import { hashPassword, verifyPassword } from '#shared/auth/password.ts';
import { userPrincipals } from '#shared/auth/principal.ts';
import { sessionEntity, sessions } from '#shared/auth/session.ts';
import { unauthorized } from '#shared/auth/token.ts';
import { transact } from '#shared/db/items.ts';
import { changeItem } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';

export interface PasswordChange {
  password: string;
  /** Needed if the user has a password. */
  oldPassword?: string;
  /** The only session that does not end. */
  sessionId: string;
}

/**
 * Sets a user's password and ends every session except the current one.
 *
 * @throws AppError `request.invalid` for `body.old_password`; `user.not_found`; `auth.token_revoked` if the
 *   session ended meanwhile; `version_conflict` if another change came first
 */
export async function changePassword(id: string, change: PasswordChange): Promise<void> {
  const { password, oldPassword = '', sessionId } = change;
  const record = await getUserRecord(id);
  await checkOldPassword(record, oldPassword);
  const { user, session_epoch } = record;
  const next = session_epoch + 1;
  const hash = await hashPassword(password);
  const writes = [
    // Every change of the password raises the epoch.
    changeItem(
      users.key(user),
      { set: { password_hash: hash, session_epoch: next }, expect: { session_epoch } },
      (cause) => new AppError('version_conflict', { cause }),
    ),
    // Not if the session was revoked since the request was authenticated.
    changeItem(
      sessionEntity.key({ id: sessionId }),
      { set: { epoch: next }, expect: { epoch: session_epoch } },
      () => unauthorized('auth.token_revoked'),
    ),
  ];
  try {
    await transact(writes);
  } finally {
    await settleAll([userPrincipals.invalidate([id]), sessions.invalidate([sessionId])]);
  }
}

async function checkOldPassword({ password_hash }: UserRecord, oldPassword: string): Promise<void> {
  if (password_hash === undefined) return;
  const { isValid } = await verifyPassword(oldPassword, password_hash);
  if (isValid) return;
  throw new AppError('request.invalid', {
    errors: [{ path: 'body.old_password', message: 'rule.old_password' }],
  });
}
