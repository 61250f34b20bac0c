import { authenticate } from '#shared/auth/authenticate.ts';
import { userPrincipals } from '#shared/auth/principal.ts';
import type { Gate } from '../exchange.ts';
import type { UserCaller } from '../route.ts';

/** `api.auth`: lets users through, and tells the handler who calls. */
export const apiAuth: Gate = ({ event, caller }) =>
  authenticate(event.headers.authorization, 'user', userPrincipals).then(({ principal, session }) => {
    const found: UserCaller = { userId: principal.id, user: principal, sessionId: session.id };
    Object.assign(caller, found);
  });
