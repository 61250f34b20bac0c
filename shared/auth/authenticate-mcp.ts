import { settleAll } from '#shared/async/settle-all.ts';
import { isEqual } from '#shared/crypto/equal.ts';
import {
  type ApiTokenPlace,
  type ApiTokenScope,
  findApiToken,
  hashApiToken,
  readApiToken,
  touchApiToken,
} from './api-token.ts';
import { authenticate, readBearer } from './authenticate.ts';
import { type AdminCaller, adminPrincipals } from './principal.ts';
import { isApiToken, unauthorized } from './token.ts';

/** The caller of MCP. */
export interface McpPrincipal {
  adminId: string;
  admin: AdminCaller;
  /** Of the API token; a login may do everything. */
  scope: ApiTokenScope;
  /** Of the API token. */
  tokenId?: string;
}

/** Finds the caller of MCP, an administrator's login or an API token, in the way of {@link authenticate}. */
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
  const [stored, holder] = await settleAll([findApiToken(place), adminPrincipals.getOne(adminId)]);
  // The first check: only the holder of the token may learn its state.
  if (!stored || !isEqual(stored.hash, hashApiToken(token))) throw unauthorized('auth.token_invalid');
  if (stored.revoked_at) throw unauthorized('auth.token_revoked');
  if (Date.parse(stored.expires_at) <= Date.now()) throw unauthorized('auth.token_expired');
  const admin = holder?.principal;
  if (admin?.status !== 'enabled') throw unauthorized('auth.principal_disabled');
  await touchApiToken(place, stored);
  const { scope, grants: tokenGrants } = stored;
  return { adminId, admin: { ...admin, ...(tokenGrants && { tokenGrants }) }, scope, tokenId: place.id };
}
