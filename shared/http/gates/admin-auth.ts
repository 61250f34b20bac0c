import { authenticate } from '#shared/auth/authenticate.ts';
import { adminPrincipals } from '#shared/auth/principal.ts';
import { createLogin } from './login.ts';

/** `admin.auth`: requires an administrator. */
export default createLogin(({ event }) =>
  authenticate(event.headers.authorization, 'admin', adminPrincipals).then(
    ({ principal: admin, session }) => ({ adminId: admin.id, admin, sessionId: session.id }),
  ),
);
