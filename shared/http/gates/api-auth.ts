import { authenticate } from '#shared/auth/authenticate.ts';
import { userPrincipals } from '#shared/auth/principal.ts';
import { createLogin } from './login.ts';

/** `api.auth`: requires a user. */
export default createLogin((context) =>
  authenticate(context.event.headers.authorization, 'user', userPrincipals, (touching) => {
    context.beside = touching;
  }).then(({ principal: user, session }) => {
    context.principal = { id: user.id };
    return { userId: user.id, user, sessionId: session.id, sessionEpoch: session.epoch };
  }),
);
