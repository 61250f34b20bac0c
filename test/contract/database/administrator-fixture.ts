import { loginAdmin } from '#modules/System/admins/admin-login.ts';
import { addAdmin } from '#modules/System/admins/admins.ts';
import { authenticate } from '#shared/auth/authenticate.ts';
import { type AdminPrincipal, adminPrincipals } from '#shared/auth/principal.ts';
import { randomLetters } from '../../support/database.ts';

/** The password of every administrator of {@link createAdmin}. */
export const password = 'correct horse battery';
/** An address of the block for documentation (RFC 5737). */
export const address = '192.0.2.1';

/** Creates an administrator with a unique account. */
export const createAdmin = (account = randomLetters()): Promise<AdminPrincipal> =>
  addAdmin({ account, name: account, password, isSuper: true });

/** Logs in; returns the access token. */
export async function logIn(account: string, secret = password): Promise<string> {
  return (await loginAdmin(account, secret, address)).token;
}

/** The administrator of a token, as routes find it. */
export async function findCaller(token: string) {
  return authenticate(`Bearer ${token}`, 'admin', adminPrincipals);
}
