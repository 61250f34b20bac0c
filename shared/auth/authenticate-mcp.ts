import { settleAll } from '#shared/async/settle-all.ts';
import { isEqual } from '#shared/crypto/equal.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import {
  type ApiToken,
  type ApiTokenRef,
  type ApiTokenScope,
  findApiToken,
  hashApiToken,
  isEnded,
  readApiToken,
  touchApiToken,
} from './api-token.ts';
import { authenticate } from './authenticate.ts';
import { type AdminCaller, adminPrincipals, tokenEpochOf } from './principal.ts';
import { isApiToken, readBearer, unauthorized } from './token.ts';

/** The caller of MCP. */
export interface McpPrincipal {
  adminId: string;
  admin: AdminCaller;
  /** The API token's; a login may do everything. */
  scope: ApiTokenScope;
  /** Epoch of the login, or of the administrator if an API token is used. */
  sessionEpoch: number;
  /** ID of the API token; absent for a login. */
  tokenId?: string;
  /** ID of the OAuth client, for an access token. */
  client?: string | undefined;
  /** Language in which the API token was created or the connection was agreed to. */
  ownLocale?: Locale | undefined;
}

/**
 * Finds the caller of MCP, an administrator's login or an API token, in the way of {@link authenticate}.
 *
 * @param header `Authorization`
 * @param resource the called URL; an access token of OAuth for another one is not valid
 */
export function authenticateMcp(header: string | undefined, resource = ''): Promise<McpPrincipal> {
  const token = readBearer(header) ?? '';
  if (!isApiToken(token)) {
    return authenticate(header, 'admin', adminPrincipals).then(({ principal, session }) => ({
      adminId: principal.id,
      admin: principal,
      scope: 'mcp:write',
      sessionEpoch: session.epoch,
    }));
  }
  const ref = readApiToken(token);
  if (!ref) throw unauthorized('auth.token_invalid');
  return findHolder(ref, token, resource);
}

async function findHolder(ref: ApiTokenRef, token: string, resource: string): Promise<McpPrincipal> {
  const { adminId } = ref;
  const [stored, holder] = await settleAll([findApiToken(ref), adminPrincipals.getOne(adminId)]);
  // The first check: only the holder of the token may learn its state.
  const access = stored && findAccess(stored, token);
  if (!access || (stored.resource ?? resource) !== resource) throw unauthorized('auth.token_invalid');
  if (stored.revoked_at) throw unauthorized('auth.token_revoked');
  if (Date.parse(access.expires_at) <= Date.now()) throw unauthorized('auth.token_expired');
  if (holder?.principal.status !== 'enabled') throw unauthorized('auth.principal_disabled');
  if (isEnded(stored, tokenEpochOf(holder))) throw unauthorized('auth.token_revoked');
  await touchApiToken(ref, stored);
  const { grants: tokenGrants, client, locale: ownLocale } = stored;
  return {
    adminId,
    admin: { ...holder.principal, ...(tokenGrants && { tokenGrants }) },
    scope: access.scope,
    sessionEpoch: holder.sessionEpoch,
    tokenId: ref.id,
    client,
    ownLocale,
  };
}

/** Scope and end of a token: of the record itself, or of an access token of a connection. */
const findAccess = (stored: ApiToken, token: string) =>
  [stored, ...(stored.access ?? [])].find(({ hash = '' }) => isEqual(hash, hashApiToken(token)));
