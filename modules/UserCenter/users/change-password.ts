import { getUserRecord, type UserRecord } from '#modules/System/public/user-records.ts';
import { settleAll } from '#shared/async/settle-all.ts';
import { hashPassword, verifyPassword } from '#shared/auth/password.ts';
import { userPrincipals } from '#shared/auth/principal.ts';
import { sessions } from '#shared/auth/session.ts';
import { unauthorized } from '#shared/auth/token.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { transact, type Write } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { AppError } from '#shared/errors/app-error.ts';

export interface PasswordChange {
  password: string;
  /** Needed where a password is set. */
  oldPassword?: string;
  /** The session that goes on; all others end. */
  sessionId: string;
}

/**
 * Sets a user's password and ends every session but the one that asks.
 *
 * @throws AppError `request.invalid` for `body.old_password`; `user.not_found`; `auth.token_revoked` when the
 *   session ended meanwhile; `version_conflict` when another change came first
 */
export async function changePassword(id: string, change: PasswordChange): Promise<void> {
  const { password, oldPassword = '', sessionId } = change;
  const record = await getUserRecord(id);
  await checkOldPassword(record, oldPassword);
  const update = storeHash(record, await hashPassword(password));
  try {
    await transact([update, carryOver(sessionId, record)]);
  } catch (cause) {
    if (!(cause instanceof ConditionError)) throw cause;
    throw cause.failed.includes(0)
      ? new AppError('version_conflict', { cause })
      : unauthorized('auth.token_revoked');
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

const storeHash = ({ user, session_epoch }: UserRecord, hash: string): Write => ({
  Update: {
    Key: { ...keys.user(user.id) },
    UpdateExpression: 'SET password_hash = :hash, session_epoch = :next',
    // Whoever changed the password first raised the epoch too.
    ConditionExpression: 'session_epoch = :epoch',
    ExpressionAttributeValues: { ':hash': hash, ':epoch': session_epoch, ':next': session_epoch + 1 },
  },
});

const carryOver = (sessionId: string, { session_epoch }: UserRecord): Write => ({
  Update: {
    Key: { ...keys.session(sessionId) },
    UpdateExpression: 'SET epoch = :next',
    // A session that was revoked since it was let in stays so.
    ConditionExpression: 'epoch = :epoch',
    ExpressionAttributeValues: { ':epoch': session_epoch, ':next': session_epoch + 1 },
  },
});
