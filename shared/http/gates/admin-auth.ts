import { authenticate } from '#shared/auth/authenticate.ts';
import { adminPrincipals } from '#shared/auth/principal.ts';
import type { Gate } from '../exchange.ts';
import type { AdminCaller } from '../route.ts';
import { watchLogin } from './watch-login.ts';

/** `admin.auth`: lets administrators through, and tells the handler who calls. */
export const adminAuth: Gate = (exchange) => {
  const { authorization } = exchange.event.headers;
  const finding = watchLogin(exchange, () => authenticate(authorization, 'admin', adminPrincipals));
  return finding.then(({ principal, session }) => {
    const found: AdminCaller = { adminId: principal.id, admin: principal, sessionId: session.id };
    Object.assign(exchange.caller, found);
  });
};
