import { authenticate } from '#shared/auth/authenticate.ts';
import { type UserPrincipal, userPrincipals } from '#shared/auth/principal.ts';
import { createLogin } from './login.ts';

export interface UserCaller {
  userId: string;
  user: UserPrincipal;
  sessionId: string;
}

/** `api.auth`: requires a user. */
export default createLogin(
  ({ event }): Promise<UserCaller> =>
    authenticate(event.headers.authorization, 'user', userPrincipals).then(({ principal, session }) => ({
      userId: principal.id,
      user: principal,
      sessionId: session.id,
    })),
);
