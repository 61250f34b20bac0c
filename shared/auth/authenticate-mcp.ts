import { settleAll } from '#shared/async/settle-all.ts';
import { isEqual } from '#shared/crypto/equal.ts';
import {
  type ApiTokenPlace,
  type ApiTokenScope,
  findApiToken,
  hashApiToken,
  isApiToken,
  readApiToken,
  touchApiToken,
} from './api-token.ts';
import { authenticate, readBearer } from './authenticate.ts';
import { type AdminPrincipal, adminPrincipals } from './principal.ts';
import { unauthorized } from './token.ts';

/** Who calls tools over MCP, and how much of it they may. */
export interface McpPrincipal {
  adminId: string;
  admin: AdminPrincipal;
  /** What the API token is for; a login may do everything. */
  scope: ApiTokenScope;
}

/**
 * Finds on whose behalf an MCP client asks: by the access token of an administrator's login, or by an API
 * token. As `authenticate`, it refuses what cannot be good before it reads anything, and reads once.
 *
 * @param header the `Authorization` header
 * @throws AppError `auth.*`, 401
 */
export function authenticateMcp(header: string | undefined): Promise<McpPrincipal> {
  const token = readBearer(header) ?? '';
  if (!isApiToken(token)) {
    return authenticate(header, 'admin', adminPrincipals).then(({ principal }) => ({
      adminId: principal.id,
      admin: principal,
      scope: 'mcp:write',
    }));
  }
  const place = readApiToken(token);
  if (!place) throw unauthorized('auth.token_invalid');
  return findHolder(place, token);
}

async function findHolder(place: ApiTokenPlace, token: string): Promise<McpPrincipal> {
  const { adminId } = place;
  const [state, admins] = await settleAll([findApiToken(place), adminPrincipals.get([adminId])]);
  // Before the rest: only the holder of the stored token learns its state and that of its administrator.
  if (!state || !isEqual(state.hash, hashApiToken(token))) throw unauthorized('auth.token_invalid');
  if (state.isRevoked) throw unauthorized('auth.token_revoked');
  if (Date.parse(state.expiresAt) <= Date.now()) throw unauthorized('auth.token_expired');
  const admin = admins.get(adminId)?.principal;
  if (admin?.status !== 'enabled') throw unauthorized('auth.principal_disabled');
  await touchApiToken(state);
  return { adminId, admin, scope: state.scope };
}
