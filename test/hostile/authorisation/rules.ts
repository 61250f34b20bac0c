import type { FoundRoute } from '#functions/model.ts';
import { findLogin } from '#shared/http/gates.ts';
import type { CallerName } from './callers.ts';

/** The callers that a route is for. `guest`: a user's login is optional and never refused. */
export type Audience = 'open' | 'guest' | 'admin' | 'user' | 'mcp';

const audiences: Record<string, Audience> = {
  none: 'open',
  'admin.auth': 'admin',
  'api.auth': 'user',
  'api.try-auth': 'guest',
  'mcp.auth': 'mcp',
};

/** The audience of a route (specification, "Authentication" 2 and 3). @throws Error if no rule covers its login */
export function audienceOf({ route, path }: FoundRoute): Audience {
  const login = findLogin(route)?.name ?? 'none';
  const audience = Object.hasOwn(audiences, login) ? audiences[login] : undefined;
  if (!audience) throw new Error(`no rule for ${path}`);
  return audience;
}

const missing = '401 auth.token_missing';
const invalid = '401 auth.token_invalid';
const expired = '401 auth.token_expired';
const revoked = '401 auth.token_revoked';
const mismatch = '401 auth.principal_mismatch';
const disabled = '401 auth.principal_disabled';
const scope = '403 auth.scope_insufficient';
const denied = '403 auth.permission_denied';
/** The request is not refused because of its caller. */
export const passes = 'passes';

/** The answer to each caller, by the audience of a route that is not open (contract, sections 1 and 5). */
export const rules: Record<CallerName, Record<'admin' | 'user' | 'mcp', string>> = {
  'no token': { admin: missing, user: missing, mcp: missing },
  'no bearer': { admin: invalid, user: invalid, mcp: invalid },
  'a broken token': { admin: invalid, user: invalid, mcp: invalid },
  'a forged signature': { admin: invalid, user: invalid, mcp: invalid },
  'a changed payload': { admin: invalid, user: invalid, mcp: invalid },
  'an expired administrator': { admin: expired, user: expired, mcp: expired },
  'an expired user': { admin: expired, user: expired, mcp: expired },
  'a revoked administrator': { admin: revoked, user: mismatch, mcp: revoked },
  'a revoked user': { admin: mismatch, user: revoked, mcp: mismatch },
  'a disabled administrator': { admin: disabled, user: mismatch, mcp: disabled },
  'a disabled user': { admin: mismatch, user: disabled, mcp: mismatch },
  'a deleted administrator': { admin: disabled, user: mismatch, mcp: disabled },
  'a super administrator': { admin: passes, user: mismatch, mcp: passes },
  // At the routes for every administrator; the others need a permission.
  'an administrator without roles': { admin: passes, user: mismatch, mcp: passes },
  'a user': { admin: mismatch, user: passes, mcp: mismatch },
  'an API token for reading': { admin: scope, user: scope, mcp: passes },
  'an API token for all': { admin: scope, user: scope, mcp: passes },
  // At the routes that ask for a permission of its kind.
  'an API token of the admin API for reading': { admin: passes, user: scope, mcp: scope },
  'an API token of the admin API': { admin: passes, user: scope, mcp: scope },
  'a revoked API token': { admin: revoked, user: scope, mcp: revoked },
  'an expired API token': { admin: expired, user: scope, mcp: expired },
  'an invented API token': { admin: invalid, user: scope, mcp: invalid },
  'an API token of a disabled administrator': { admin: disabled, user: scope, mcp: disabled },
  'an OAuth access token': { admin: scope, user: scope, mcp: passes },
  'an OAuth access token for another resource': { admin: scope, user: scope, mcp: invalid },
  'an expired OAuth access token': { admin: expired, user: scope, mcp: expired },
  'an OAuth access token of a revoked connection': { admin: revoked, user: scope, mcp: revoked },
  'an OAuth access token of a disabled administrator': { admin: disabled, user: scope, mcp: disabled },
  'an OAuth access token from before a change of the password': { admin: revoked, user: scope, mcp: revoked },
  // Only access tokens are for calls.
  'an OAuth refresh token': { admin: invalid, user: invalid, mcp: invalid },
  'an OAuth code': { admin: invalid, user: invalid, mcp: invalid },
};

/** What a caller gets at a route, with any body. */
export function expectationOf(found: FoundRoute, caller: CallerName): string {
  const audience = audienceOf(found);
  if (audience === 'open' || audience === 'guest') return passes;
  if (audience === 'admin') {
    if (caller === 'an administrator without roles' && asksForPermission(found)) return denied;
    if (/^an API token of the admin API/.test(caller) && !isForTokens(found, caller)) return scope;
  }
  return rules[caller][audience];
}

/** Whether the gate asks for more than a login (capabilities, section 1). */
const asksForPermission = ({ route }: FoundRoute): boolean =>
  route.right !== 'login' && route.right !== 'handler';

/** Whether the scope of such a token allows a route (capabilities, section 6). */
const isForTokens = ({ route }: FoundRoute, caller: CallerName): boolean =>
  route.right !== 'login' &&
  !route.recentFactor &&
  (caller === 'an API token of the admin API' || route.method === 'GET' || route.right === 'read');

/** All routes that need no token. A new one needs a line here, and a reason. */
export const openRoutes = [
  // Logins and their captcha.
  'GET /adminapi/system/login/captchaConfig',
  'POST /adminapi/system/login/checkCaptcha',
  'POST /adminapi/system/login/account',
  // The second step of a login: its challenge is the proof.
  'POST /adminapi/system/login/second',
  'POST /adminapi/system/login/setup',
  'POST /adminapi/system/login/confirm',
  // The login at a provider: its ID token is the proof; and an invitation, by the secret of its link.
  'POST /adminapi/system/login/ssoStart',
  'POST /adminapi/system/login/sso',
  'POST /adminapi/system/login/invitation',
  'POST /api/system/login/account',
  'POST /api/system/login/sendCode',
  'POST /api/system/login/register',
  // What guests read.
  'GET /api/system/config/dict',
  'GET /api/article/article/list',
  'GET /api/article/article/detail',
  // What guests upload; a ticket authorises its parts.
  'POST /api/system/upload/file',
  'GET /api/system/upload/validate',
  'POST /api/system/upload/direct',
  'POST /api/system/upload/complete',
  'POST /api/system/upload/part',
  'GET /api/system/upload/part',
  // OAuth: what clients read, and where codes and tokens are the proof.
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-authorization-server',
  'GET /oauth/authorize',
  'POST /oauth/token',
  'POST /oauth/revoke',
  // The service itself.
  'GET /health',
  'GET /openapi.json',
  'GET /storage/{path+}',
  'HEAD /storage/{path+}',
  'GET /storage/variants/{path+}',
  'HEAD /storage/variants/{path+}',
  'GET /console/{path+}',
  'HEAD /console/{path+}',
];
