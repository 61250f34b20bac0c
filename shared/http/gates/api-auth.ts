import { authenticate } from '#shared/auth/authenticate.ts';
import { userPrincipals } from '#shared/auth/principal.ts';
import { createLogin } from './login.ts';

/** `api.auth`: requires a user. */
export default createLogin(({ event }) =>
  authenticate(event.headers.authorization, 'user', userPrincipals).then(({ principal: user, session }) => ({
    userId: user.id,
    user,
    sessionId: session.id,
  })),
);
