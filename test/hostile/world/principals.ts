import { addAdmin, editAdmin } from '#modules/System/admins/admins.ts';
import { addApiToken } from '#modules/System/admins/api-tokens.ts';
import { createUser, createUserId } from '#modules/System/users/create-user.ts';
import { setUserStatus } from '#modules/UserCenter/users/edit-user.ts';
import { authenticate } from '#shared/auth/authenticate.ts';
import { authenticateMcp } from '#shared/auth/authenticate-mcp.ts';
import { prepareSession } from '#shared/auth/new-session.ts';
import { hashPassword } from '#shared/auth/password.ts';
import { adminPrincipals, userPrincipals } from '#shared/auth/principal.ts';
import type { PrincipalKind } from '#shared/auth/token.ts';
import { getItem, transact } from '#shared/db/items.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { administrator } from '../../support/administrator.ts';
import { keys } from '../../support/keys.ts';
import { ownerOf } from '../../support/token-owner.ts';
import { mobiles, passwords } from '../generate/known.ts';
import type { Caller } from '../request.ts';
import type { Things } from './things.ts';

/** The callers. */
export interface Principals {
  authorizationOf(caller: Caller): string | undefined;
  /** Restores logins that requests have ended, disabled or revoked. */
  restore(): Promise<void>;
}

export async function createPrincipals(things: Things): Promise<Principals> {
  const claim = await getItem(keys.adminAccount(administrator.account));
  const adminId = String(claim?.id);
  // Holds the API tokens; no request names it, so no request revokes them.
  const holder = await addAdmin({ account: 'holder', name: 'Holder', password: passwords[0], isSuper: true });
  const userId = await addUser(mobiles[0]);
  for (const id of [await addUser(mobiles[1]), await addUser(), userId]) things.add('user', id);
  for (const account of ['victim', 'other']) {
    things.add('admin', (await addAdmin({ account, name: account, password: passwords[0] })).id);
  }
  things.add('admin', adminId);

  const owner = await ownerOf(holder.id);
  const reader = await addApiToken(owner, { name: 'reader', scope: 'mcp:read', days: 1 });
  const writer = await addApiToken(owner, { name: 'writer', scope: 'mcp:write', days: 1 });
  const tokens: Record<Exclude<Caller, 'guest'>, string> = {
    admin: await openSession('admin', adminId),
    user: await openSession('user', userId),
    reader: reader.token,
    writer: writer.token,
  };
  const authorizationOf = (caller: Caller) => (caller === 'guest' ? undefined : `Bearer ${tokens[caller]}`);
  return {
    authorizationOf,
    async restore() {
      const [admin, user] = [authorizationOf('admin'), authorizationOf('user')];
      if (!(await isLetIn(() => authenticate(admin, 'admin', adminPrincipals)))) {
        tokens.admin = await openSession('admin', adminId);
      }
      if (!(await isLetIn(() => authenticate(user, 'user', userPrincipals)))) {
        await setUserStatus(userId, 'enabled');
        tokens.user = await openSession('user', userId);
      }
      await authenticateMcp(authorizationOf('reader'));
      await editAdmin(adminId, { status: 'enabled' });
    },
  };
}

async function addUser(mobile?: string): Promise<string> {
  const passwordHash = await hashPassword(passwords[0]);
  return (await createUser({ id: createUserId(), terminal: 3, mobile, passwordHash })).id;
}

/** Begins a session as a login would. */
export async function openSession(kind: PrincipalKind, id: string): Promise<string> {
  const item = await getItem(kind === 'admin' ? keys.admin(id) : keys.user(id));
  const session = prepareSession(kind, id, Number(item?.session_epoch));
  await transact([session.write]);
  return session.token;
}

async function isLetIn(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    if (error instanceof AppError && error.status === 401) return false;
    throw error;
  }
}
