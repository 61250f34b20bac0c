import { settleAll } from '#shared/async/settle-all.ts';
import { prepareSession } from '#shared/auth/new-session.ts';
import type { LoginOrigin } from '#shared/auth/origin.ts';
import { unauthorized } from '#shared/auth/token.ts';
import { versionConflict } from '#shared/db/entity.ts';
import { type Refusal, transact, type Write } from '#shared/db/items.ts';
import { changeItem, checkItem, putItem, removeItem, withoutUndefined } from '#shared/db/writes.ts';
import { createUser, createUserId, firstEpoch, listClaims, type NewUser } from './create-user.ts';
import { maskMobile } from './profile.ts';
import type { UserLogin } from './schema.ts';
import type { Terminal } from './terminal.ts';
import { openIdAttributes, type UserRecord, userClaims, userLoginKey, users } from './user-record.ts';

/** Where a login comes from. */
export interface LoginFrom extends Partial<LoginOrigin> {
  /** Called beside the write, if the credential is right. */
  accept?: () => Promise<void>;
}

interface SessionStart {
  terminal: Terminal;
  /** First write of the transaction; marks the credential as used. */
  spend?: Write;
  /** To be bound to the user. */
  unbound?: Binding;
  /** Replaces the stored hash. */
  passwordHash?: string;
  from?: LoginFrom | undefined;
}
type Binding = Pick<NewUser, 'mobile' | 'openId'>;

/**
 * Starts a session of a user whose credential is correct.
 *
 * @throws AppError `auth.principal_disabled`, which spends the credential too; `version_conflict` if the user changed
 *   since it was read; the refusal of `spend`
 */
export async function startSession(record: UserRecord, start: SessionStart): Promise<UserLogin> {
  const { user, session_epoch } = record;
  const { unbound = {} } = start;
  const spending = start.spend ? [start.spend] : [];
  if (user.status !== 'enabled') {
    if (start.spend) await transact(spending);
    throw unauthorized('auth.principal_disabled');
  }
  const session = prepareSession('user', user.id, session_epoch, start.from);
  const logins = recordLogin(record, start);
  const writes = [...spending, ...logins, session.write, ...listBindings(record, unbound)];
  await settleAll([transact(writes), start.from?.accept?.()]);
  const { mobile } = unbound;
  const bound = mobile ? { ...user, mobile: maskMobile(mobile) } : user;
  return { token: session.token, expires_at: session.expiresAt, user: bound, is_new: false };
}

/** Creates a user and starts the first session. Parameters and errors are those of {@link createUser}. */
export async function startFirstSession(start: SessionStart, isTaken?: Refusal): Promise<UserLogin> {
  const { terminal, spend, unbound, passwordHash, from } = start;
  const id = createUserId();
  const session = prepareSession('user', id, firstEpoch, from);
  const alongside = [...(spend ? [spend] : []), session.write];
  const newUser = { id, terminal, ...unbound, passwordHash };
  const [user] = await settleAll([createUser(newUser, alongside, isTaken), from?.accept?.()]);
  return { token: session.token, expires_at: session.expiresAt, user, is_new: true };
}

/** The writes of a login: change or check the user, and store time and terminal. Fails if the user changed. */
function recordLogin(record: UserRecord, { terminal, unbound = {}, passwordHash }: SessionStart): Write[] {
  const { mobile, openId } = unbound;
  const { id } = record.user;
  const attribute = openId && openIdAttributes[openId.app];
  const changes = withoutUndefined({
    mobile,
    password_hash: passwordHash,
    ...(attribute && { [attribute]: openId.openId }),
  });
  const expect = {
    session_epoch: record.session_epoch,
    status: 'enabled',
    mobile: record.mobile,
    ...(attribute && { [attribute]: record[attribute] }),
  };
  const key = users.key({ id });
  const isChanged = Object.keys(changes).length > 0;
  const last_login_at = new Date().toISOString();
  return [
    isChanged
      ? changeItem(key, { set: changes, expect }, versionConflict)
      : checkItem(key, { expect }, versionConflict),
    putItem({ ...userLoginKey(id), last_login_at, terminal }),
  ];
}

/** Claims of the new mobile and open ID; releases the user's old open ID at the same WeChat account. */
function listBindings(record: UserRecord, { mobile, openId }: Binding): Write[] {
  const { id } = record.user;
  const oldOpenId = openId && record[openIdAttributes[openId.app]];
  return [
    ...listClaims({ id, mobile, openId }, versionConflict),
    ...(openId && oldOpenId ? [removeItem(userClaims.openId({ ...openId, openId: oldOpenId }))] : []),
  ];
}
