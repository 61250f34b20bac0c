import { authenticate } from '#shared/auth/authenticate.ts';
import { assertPermitted, type Permission } from '#shared/auth/permission.ts';
import { type AdminCaller, adminPrincipals } from '#shared/auth/principal.ts';
import type { Gate } from '../request-context.ts';
import { createLogin } from './login.ts';

interface AddedByAdmin {
  adminId: string;
  admin: AdminCaller;
  sessionId: string;
  /** The administrator's epoch when the session began. */
  sessionEpoch: number;
  /** Asks for the route's permission, for a route with `right: 'handler'`. @throws AppError `auth.permission_denied` */
  requirePermission(): void;
  /** The permission of another route, which `asksFor` names. @throws TypeError if it does not */
  permissionOf(name: string): Permission;
}

/**
 * `admin.auth`: requires an administrator who holds the route's permission.
 *
 * @param permission `login` lets every administrator pass
 * @param isAsked whether the gate asks for the permission; if not, the handler does
 * @param others permissions of the routes in `asksFor`, by name
 * @throws TypeError when the function loads without a permission: nothing is open by mistake
 */
export default function adminAuth(
  permission: Permission | 'login',
  isAsked = true,
  others: Readonly<Record<string, Permission>> = {},
): Gate<AddedByAdmin> {
  if (!permission) throw new TypeError('the gate admin.auth needs the permission of its route');
  const login = createLogin(({ event }) =>
    authenticate(event.headers.authorization, 'admin', adminPrincipals),
  );
  const permissionOf = (name: string) => {
    const found = others[name];
    if (!found) throw new TypeError(`the route does not ask for ${name}`);
    return found;
  };
  return (context) =>
    login(context).then(({ principal: admin, session }) => {
      const requirePermission = () => {
        if (permission !== 'login') assertPermitted(admin, permission);
      };
      // Set before a refusal, so that the audit log knows the caller.
      context.caller.admin = admin;
      if (isAsked) requirePermission();
      const { id: sessionId, epoch: sessionEpoch } = session;
      return { adminId: admin.id, admin, sessionId, sessionEpoch, requirePermission, permissionOf };
    });
}
