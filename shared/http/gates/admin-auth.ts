import { authenticate } from '#shared/auth/authenticate.ts';
import { assertPermitted, isPermitted, type Permission, toPart } from '#shared/auth/permission.ts';
import { type AdminCaller, adminPrincipals } from '#shared/auth/principal.ts';
import { beganAt } from '#shared/auth/session.ts';
import type { Gate } from '../request-context.ts';
import { createLogin } from './login.ts';

interface AddedByAdmin {
  adminId: string;
  admin: AdminCaller;
  sessionId: string;
  /** The administrator's epoch when the session began. */
  sessionEpoch: number;
  /** When the session began, in Unix seconds. */
  loggedInAt: number;
  /** The lowest epoch of the administrator's tokens that are not revoked. */
  tokenEpoch: number;
  /** Asks for the route's permission, for a route with `right: 'handler'`. @throws AppError `auth.permission_denied` */
  requirePermission(): void;
  /** Asks for the right to one of the route's parts. @throws AppError `auth.permission_denied` */
  requirePart(name: string): void;
  /** The permission of another route, which `asksFor` names. @throws TypeError if it does not */
  permissionOf(name: string): Permission;
}

/**
 * `admin.auth`: requires an administrator who holds the route's permission.
 *
 * @param permission `login` lets every administrator pass
 * @param isAsked whether the gate asks for the permission; if not, the handler does
 * @param others permissions of the routes in `asksFor`, by name
 * @param parts of the route, each with a right of its own: the right to one of them is enough for the gate
 * @throws TypeError when the function loads without a permission: nothing is open by mistake
 */
export default function adminAuth(
  permission: Permission | 'login',
  isAsked = true,
  others: Readonly<Record<string, Permission>> = {},
  parts: readonly string[] = [],
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
    login(context).then(({ principal: admin, session, tokenEpoch }) => {
      const requirePermission = () => {
        if (permission === 'login') return;
        if (parts.some((name) => isPermitted(admin, toPart(permission, name)))) return;
        assertPermitted(admin, permission);
      };
      const requirePart = (name: string) => {
        if (permission === 'login') return;
        // What is not a part needs the whole right, and its name stays out of the refusal.
        assertPermitted(admin, parts.includes(name) ? toPart(permission, name) : permission);
      };
      context.principal = { id: admin.id, admin };
      if (isAsked) requirePermission();
      const { id: sessionId, epoch: sessionEpoch } = session;
      return {
        adminId: admin.id,
        admin,
        sessionId,
        sessionEpoch,
        loggedInAt: beganAt(session),
        tokenEpoch,
        requirePermission,
        requirePart,
        permissionOf,
      };
    });
}
