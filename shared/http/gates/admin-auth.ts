import { authenticate } from '#shared/auth/authenticate.ts';
import { type AdminPrincipal, adminPrincipals } from '#shared/auth/principal.ts';
import { createLogin } from './login.ts';

interface AdminCaller {
  adminId: string;
  admin: AdminPrincipal;
  sessionId: string;
}

/** `admin.auth`: requires an administrator. */
export default createLogin(
  ({ event }): Promise<AdminCaller> =>
    authenticate(event.headers.authorization, 'admin', adminPrincipals).then(({ principal, session }) => ({
      adminId: principal.id,
      admin: principal,
      sessionId: session.id,
    })),
);
