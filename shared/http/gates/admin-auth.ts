import type { ApiTokenScope } from '#shared/auth/api-token.ts';
import { type ApiTokenRef, requireApiToken } from '#shared/auth/api-token-text.ts';
import { authenticate } from '#shared/auth/authenticate.ts';
import type { TokenHolder } from '#shared/auth/authenticate-token.ts';
import { assertPermitted, isPermitted, type Permission, toPart } from '#shared/auth/permission.ts';
import { type AdminCaller, adminPrincipals } from '#shared/auth/principal.ts';
import { nowSeconds, passwordShownAt } from '#shared/auth/session.ts';
import { isApiToken, readBearer } from '#shared/auth/token.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { Gate, RequestContext } from '../request-context.ts';
import { createLogin } from './login.ts';

interface AdminLogin {
  adminId: string;
  admin: AdminCaller;
  /** Empty for an API token, which no route with `right: 'login'` takes. */
  sessionId: string;
  /** The administrator's epoch when the session began; the present one for an API token. */
  sessionEpoch: number;
  /** When the login showed the password, in Unix seconds; 0 for a login by a provider, and for an API token. */
  passwordShownAt: number;
  /** When the second factor was given, in Unix seconds; 0 without one, and for an API token. */
  factorAt: number;
  /** The lowest epoch of the administrator's tokens that are not revoked. */
  tokenEpoch: number;
  /** ID of the API token that is used; absent for a login. */
  tokenId?: string | undefined;
}

interface AddedByAdmin extends AdminLogin {
  /** Asks for the route's permission, for a route with `right: 'handler'`. @throws AppError `auth.permission_denied` */
  requirePermission(): void;
  /** Asks for the right to one of the route's parts. @throws AppError `auth.permission_denied` */
  requirePart(name: string): void;
  /** Asks for a second factor that was given lately, and refuses API tokens. @throws AppError as {@link assertRecentFactor} */
  requireRecentFactor(): void;
  /** The permission of another route, which `asksFor` names. @throws TypeError if it does not */
  permissionOf(name: string): Permission;
}

/**
 * `admin.auth`: requires an administrator who holds the route's permission, or an API token of one whose scope allows it.
 *
 * @param permission `login` lets every administrator pass, and no API token
 * @param isAsked whether the gate asks for the permission; if not, the handler does. An API token is always asked for it
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
  const login = createLogin(findCaller);
  const permissionOf = (name: string) => {
    const found = others[name];
    if (!found) throw new TypeError(`the route does not ask for ${name}`);
    return found;
  };
  return (context) =>
    login(context).then(({ scope, client, ownLocale, ...caller }) => {
      const { admin, tokenId } = caller;
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
      context.principal = { id: admin.id, admin, tokenId, client };
      if (ownLocale) context.preferLocale(ownLocale);
      if (scope && !allows(scope, permission)) throw new AppError('auth.scope_insufficient');
      if (isAsked || scope) requirePermission();
      const requireRecentFactor = () => assertRecentFactor(caller);
      if (context.needsRecentFactor) requireRecentFactor();
      return { ...caller, requirePermission, requirePart, requireRecentFactor, permissionOf };
    });
}

/** How long a second factor is recent, in seconds. */
const recentSeconds = 600;

/** @throws AppError `auth.factor_required`; `auth.scope_insufficient` for every API token, as it can give no factor */
function assertRecentFactor({ admin, tokenId, factorAt }: AdminLogin): void {
  if (tokenId) throw new AppError('auth.scope_insufficient');
  // Code of an earlier version leaves it out of the cache: then it is not known to be missing.
  if (admin.two_factor === false) return;
  if (!(nowSeconds() - factorAt <= recentSeconds)) throw new AppError('auth.factor_required');
}

/** What a token says beyond its holder. */
type ByToken = Pick<TokenHolder, 'scope' | 'client' | 'ownLocale'>;

/** A forged or expired token is refused at once, so that the route's prefetch does not start. */
function findCaller(context: RequestContext): Promise<AdminLogin & Partial<ByToken>> {
  const header = context.event.headers.authorization;
  const token = readBearer(header) ?? '';
  if (isApiToken(token)) return findTokenHolder(requireApiToken(token), token);
  return authenticate(header, 'admin', adminPrincipals, (touching) => {
    context.beside = touching;
  }).then(({ principal: admin, session, tokenEpoch }) => ({
    adminId: admin.id,
    admin,
    sessionId: session.id,
    sessionEpoch: session.epoch,
    passwordShownAt: passwordShownAt(session),
    factorAt: session.factorAt,
    tokenEpoch,
  }));
}

async function findTokenHolder(ref: ApiTokenRef, token: string): Promise<AdminLogin & ByToken> {
  // Loaded on first use: most callers are logged in.
  const { authenticateToken } = await import('#shared/auth/authenticate-token.ts');
  const holder = await authenticateToken(ref, token);
  return { ...holder, sessionId: '', passwordShownAt: 0, factorAt: 0 };
}

const allows = (scope: ApiTokenScope, permission: Permission | 'login'): boolean =>
  permission !== 'login' && (scope === 'api:write' || (scope === 'api:read' && permission.kind === 'read'));
