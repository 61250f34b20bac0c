import { authenticate } from '#shared/auth/authenticate.ts';
import { adminPrincipals } from '#shared/auth/principal.ts';
import type { Gate } from '../exchange.ts';
import type { AdminCaller } from '../route.ts';

/** `admin.auth`: lets administrators through, and tells the handler who calls. */
export const adminAuth: Gate = ({ event, caller }) =>
  authenticate(event.headers.authorization, 'admin', adminPrincipals).then(({ principal, session }) => {
    const found: AdminCaller = { adminId: principal.id, admin: principal, sessionId: session.id };
    Object.assign(caller, found);
  });
