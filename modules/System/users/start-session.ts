import { toUser, userPrincipals } from '#shared/auth/principal.ts';
import { prepareSession } from '#shared/auth/session.ts';
import { unauthorized } from '#shared/auth/token.ts';
import { transact, type Write } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { setAttributes, withoutUndefined } from '#shared/db/update.ts';
import { claim, createUser, createUserId, firstEpoch } from './create-user.ts';
import type { UserLogin } from './schema.ts';
import type { OpenId, Terminal } from './terminal.ts';
import { openIdAttributes, type UserRecord } from './user-record.ts';

/** How a session starts. */
export interface SessionStart {
  terminal: Terminal;
  /** First write of the transaction; marks the credential as used. */
  spend?: Write;
  /** Is bound to the user. */
  unbound?: Binding;
  /** Replaces the stored hash. */
  passwordHash?: string;
}

interface Binding {
  mobile?: string;
  openId?: OpenId;
}

/**
 * Starts a session of a user whose credential is correct.
 *
 * @throws AppError `auth.principal_disabled`; the credential is used then too
 * @throws ConditionError if the user changed meanwhile, or with index 0 if the credential was used before
 */
export async function startSession(record: UserRecord, start: SessionStart): Promise<UserLogin> {
  const { user, session_epoch } = record;
  const { spend, unbound = {} } = start;
  const spending = spend ? [spend] : [];
  if (user.status !== 'enabled') {
    if (spend) await transact([spend]);
    throw unauthorized('auth.principal_disabled');
  }
  const session = prepareSession('user', user.id, session_epoch);
  const logins = recordLogin(record, start);
  try {
    await transact([...spending, ...logins, session.write, ...listBindings(record, unbound)]);
  } finally {
    if (unbound.mobile) await userPrincipals.invalidate([user.id]);
  }
  const { mobile } = unbound;
  const bound = mobile ? toUser({ ...user, mobile }) : user;
  return { token: session.token, expires_at: session.expiresAt, user: bound, is_new: false };
}

/**
 * Creates a user and starts the first session.
 *
 * @throws ClaimTakenError, ConditionError as `createUser` does
 */
export async function startFirstSession(start: SessionStart): Promise<UserLogin> {
  const { terminal, spend, unbound, passwordHash } = start;
  const id = createUserId();
  const session = prepareSession('user', id, firstEpoch);
  const alongside = [...(spend ? [spend] : []), session.write];
  const user = await createUser({ id, terminal, ...unbound, passwordHash }, alongside);
  return { token: session.token, expires_at: session.expiresAt, user, is_new: true };
}

/** The writes of a login: the user, changed or only checked, and an item with time and terminal of the login. */
function recordLogin(record: UserRecord, { terminal, unbound = {}, passwordHash }: SessionStart): Write[] {
  const { mobile, openId } = unbound;
  const { id } = record.user;
  const attribute = openId && openIdAttributes[openId.app];
  const changes = withoutUndefined({
    mobile,
    password_hash: passwordHash,
    ...(attribute && { [attribute]: openId.openId }),
  });
  const condition = expectUnchanged(record, attribute);
  const last_login_at = new Date().toISOString();
  const login: Write = { Put: { Item: { ...keys.userLogin(id), last_login_at, terminal } } };
  if (Object.keys(changes).length === 0) return [{ ConditionCheck: condition }, login];
  const { UpdateExpression, ...update } = setAttributes(changes);
  const Update = {
    ...condition,
    UpdateExpression,
    ExpressionAttributeNames: { ...update.ExpressionAttributeNames, ...condition.ExpressionAttributeNames },
    ExpressionAttributeValues: {
      ...update.ExpressionAttributeValues,
      ...condition.ExpressionAttributeValues,
    },
  };
  return [{ Update }, login];
}

/** The condition that the user has not changed since it was read. */
function expectUnchanged(record: UserRecord, attribute?: (typeof openIdAttributes)[OpenId['app']]) {
  const known = { mobile: record.mobile, ...(attribute && { [attribute]: record[attribute] }) };
  const values = Object.entries(known).filter(([, value]) => value !== undefined);
  const parts = ['session_epoch = :epoch', '#status = :enabled', ...listUnchanged(known)];
  return {
    Key: { ...keys.user(record.user.id) },
    ConditionExpression: parts.join(' AND '),
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':epoch': record.session_epoch,
      ':enabled': 'enabled',
      ...Object.fromEntries(values.map(([name, value]) => [`:known_${name}`, value])),
    },
  };
}

/** A condition for each attribute: it has the value that was read, or still does not exist. */
function listUnchanged(known: Record<string, string | undefined>): string[] {
  return Object.entries(known).map(([name, value]) =>
    value === undefined ? `attribute_not_exists(${name})` : `${name} = :known_${name}`,
  );
}

/** Claims of the new mobile and open ID; releases the user's old open ID at the same WeChat account. */
function listBindings(record: UserRecord, { mobile, openId }: Binding): Write[] {
  const { id } = record.user;
  const oldOpenId = openId && record[openIdAttributes[openId.app]];
  return [
    ...(mobile ? [claim(keys.userMobile(mobile), id)] : []),
    ...(openId ? [claim(keys.userOpenId(openId.app, openId.openId), id)] : []),
    ...(openId && oldOpenId ? [{ Delete: { Key: { ...keys.userOpenId(openId.app, oldOpenId) } } }] : []),
  ];
}
