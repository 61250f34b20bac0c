import { AppError } from '#shared/errors/app-error.ts';
import { isMcpScope, type McpScope } from './api-token.ts';
import { requireApiToken } from './api-token-text.ts';
import { authenticate } from './authenticate.ts';
import { authenticateToken, type TokenHolder } from './authenticate-token.ts';
import { adminPrincipals } from './principal.ts';
import { isApiToken, readBearer } from './token.ts';

/** The caller of MCP. */
export interface McpPrincipal
  extends Pick<TokenHolder, 'adminId' | 'admin' | 'sessionEpoch' | 'client' | 'ownLocale'> {
  /** The API token's; a login may do everything. */
  scope: McpScope;
  /** ID of the API token; absent for a login. */
  tokenId?: string;
}

/**
 * Finds the caller of MCP, an administrator's login or an API token, in the way of {@link authenticate}.
 *
 * @param header `Authorization`
 * @param resource the called URL; an access token of OAuth for another one is not valid
 * @throws AppError `auth.*`, 401; `auth.scope_insufficient` for an API token of the admin API
 */
export function authenticateMcp(header: string | undefined, resource = ''): Promise<McpPrincipal> {
  const token = readBearer(header) ?? '';
  if (isApiToken(token)) {
    return authenticateToken(requireApiToken(token), token, resource).then(toMcpPrincipal);
  }
  return authenticate(header, 'admin', adminPrincipals).then(({ principal, session }) => ({
    adminId: principal.id,
    admin: principal,
    scope: 'mcp:write',
    sessionEpoch: session.epoch,
  }));
}

function toMcpPrincipal({ scope, tokenEpoch: _, ...holder }: TokenHolder): McpPrincipal {
  if (!isMcpScope(scope)) throw new AppError('auth.scope_insufficient');
  return { ...holder, scope };
}
