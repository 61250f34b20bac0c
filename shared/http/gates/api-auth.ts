import { authenticate } from '#shared/auth/authenticate.ts';
import { userPrincipals } from '#shared/auth/principal.ts';
import type { Gate } from '../exchange.ts';
import type { UserCaller } from '../route.ts';
import { watchLogin } from './watch-login.ts';

/** `api.auth`: lets users through, and tells the handler who calls. */
export const apiAuth: Gate = (exchange) => {
  const { authorization } = exchange.event.headers;
  const finding = watchLogin(exchange, () => authenticate(authorization, 'user', userPrincipals));
  return finding.then(({ principal, session }) => {
    const found: UserCaller = { userId: principal.id, user: principal, sessionId: session.id };
    Object.assign(exchange.caller, found);
  });
};
