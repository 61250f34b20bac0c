import { settleAll } from '#shared/async/settle-all.ts';
import { isEqual } from '#shared/crypto/equal.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import { type ApiToken, type ApiTokenScope, findApiToken, isEnded, touchApiToken } from './api-token.ts';
import { type ApiTokenRef, hashApiToken } from './api-token-text.ts';
import { type AdminCaller, adminPrincipals, tokenEpochOf } from './principal.ts';
import { unauthorized } from './token.ts';

/** The caller of a request with an API token or an access token of OAuth. */
export interface TokenHolder {
  adminId: string;
  /** With the token's grants, if it has some. */
  admin: AdminCaller;
  scope: ApiTokenScope;
  /** The administrator's epoch. */
  sessionEpoch: number;
  /** Tokens of a lower epoch are revoked. */
  tokenEpoch: number;
  tokenId: string;
  /** ID of the OAuth client, for an access token. */
  client?: string | undefined;
  /** Language in which the token was created or the connection was agreed to. */
  ownLocale?: Locale | undefined;
}

/**
 * Finds the holder of an API token: token and administrator are read in parallel. The scope is not checked.
 *
 * @param ref what `readApiToken` has read of it
 * @param resource the called URL: an access token of OAuth for another one is not valid. @default any
 * @throws AppError `auth.*`, 401
 */
export async function authenticateToken(
  ref: ApiTokenRef,
  token: string,
  resource?: string,
): Promise<TokenHolder> {
  const { adminId } = ref;
  const [stored, holder] = await settleAll([findApiToken(ref), adminPrincipals.getOne(adminId)]);
  // The first check: only the holder of the token may learn its state.
  const access = stored && findAccess(stored, token);
  const isForOther = resource !== undefined && (stored?.resource ?? resource) !== resource;
  if (!access || isForOther) throw unauthorized('auth.token_invalid');
  if (stored.revoked_at) throw unauthorized('auth.token_revoked');
  if (Date.parse(access.expires_at) <= Date.now()) throw unauthorized('auth.token_expired');
  if (holder?.principal.status !== 'enabled') throw unauthorized('auth.principal_disabled');
  const tokenEpoch = tokenEpochOf(holder);
  if (isEnded(stored, tokenEpoch)) throw unauthorized('auth.token_revoked');
  await touchApiToken(ref, stored);
  const { grants: tokenGrants, client, locale: ownLocale } = stored;
  return {
    adminId,
    admin: { ...holder.principal, ...(tokenGrants && { tokenGrants }) },
    scope: access.scope,
    sessionEpoch: holder.sessionEpoch,
    tokenEpoch,
    tokenId: ref.id,
    client,
    ownLocale,
  };
}

/** Scope and end of a token: of the record itself, or of an access token of a connection. */
const findAccess = (stored: ApiToken, token: string) =>
  [stored, ...(stored.access ?? [])].find(({ hash = '' }) => isEqual(hash, hashApiToken(token)));
