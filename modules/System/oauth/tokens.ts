import { createHash } from 'node:crypto';
import { apiTokenAfterlifeSeconds, isEnded, type McpScope } from '#shared/auth/api-token.ts';
import { type ApiTokenRef, createApiToken, hashApiToken, readApiToken } from '#shared/auth/api-token-text.ts';
import { readEpochs, tokenEpochOf } from '#shared/auth/principal.ts';
import { isEqual } from '#shared/crypto/equal.ts';
import { toRow } from '#shared/db/entity.ts';
import { holds, type Item, transact } from '#shared/db/items.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { changeItem } from '#shared/db/writes.ts';
import type { AppError } from '#shared/errors/app-error.ts';
import { revokeApiToken } from '../admins/api-tokens.ts';
import systemErrors from '../errors.ts';
import { readScopes, widestScope } from './authorization.ts';
import { listClientKeys } from './clients.ts';
import {
  type Connection,
  codePrefix,
  connections,
  identify,
  putLink,
  readConnection,
  refreshPrefix,
  required,
  toExpiryTime,
} from './connections.ts';
import { mcpResource } from './resource.ts';
import type { TokenAnswer, TokenRequest } from './schema.ts';

// A code or refresh token proves by itself that this service made it for the connection: if it is not the stored one,
// it was used before (decision 0026).

const accessSeconds = 3600;
const refreshSeconds = 30 * 86_400;
/** Longest life of a connection. Then its administrator has to consent again. */
const connectionSeconds = 180 * 86_400;

/**
 * Exchanges a code for tokens. A code that was used before ends its connection.
 *
 * @throws AppError `oauth.*`
 */
export async function exchangeCode(given: TokenRequest): Promise<TokenAnswer> {
  const { code, client_id, redirect_uri, code_verifier, resource } = given;
  const [token, verifier] = [required('code', code), required('code_verifier', code_verifier)];
  const uri = required('redirect_uri', redirect_uri);
  const ref = readApiToken(token, codePrefix);
  if (!ref) throw systemErrors.create('oauth.invalid_grant');
  const found = await findConnection(ref, client_id, resource);
  if (!found.code_hash) throw await endReused(ref);
  const isFit =
    found.redirect_uri === uri &&
    isEqual(found.challenge, createHash('sha256').update(verifier).digest('base64url')) &&
    isEqual(found.code_hash, hashApiToken(token));
  if (!isFit || Date.parse(found.expires_at) <= Date.now()) throw systemErrors.create('oauth.invalid_grant');
  return issueTokens(ref, found, found.granted, {
    remove: ['code_hash'],
    expect: { code_hash: found.code_hash },
  });
}

/**
 * Exchanges a refresh token for new tokens. One that was used before ends its connection, also if both uses come at
 * the same time.
 *
 * @throws AppError `oauth.*`
 */
export async function refreshTokens(given: TokenRequest): Promise<TokenAnswer> {
  const token = required('refresh_token', given.refresh_token);
  const ref = readApiToken(token, refreshPrefix);
  if (!ref) throw systemErrors.create('oauth.invalid_grant');
  const found = await findConnection(ref, given.client_id, given.resource);
  const refresh_hash = hashApiToken(token);
  if (!isEqual(found.refresh_hash ?? '', refresh_hash)) throw await endReused(ref);
  if (Math.min(Date.parse(found.expires_at), endOf(found)) <= Date.now()) {
    throw systemErrors.create('oauth.invalid_grant');
  }
  const scopes = readScopes(given.scope) ?? found.granted;
  if (!scopes.every((scope) => found.granted.includes(scope)))
    throw systemErrors.create('oauth.invalid_scope');
  return issueTokens(ref, found, scopes, { expect: { refresh_hash } });
}

/**
 * Reads a connection that can give tokens, strongly consistent: of this client and resource, not ended, of an enabled
 * administrator whose tokens of that time are valid.
 *
 * @throws AppError `oauth.*`
 */
async function findConnection(
  ref: ApiTokenRef,
  clientId: string | undefined,
  resource: string | undefined,
): Promise<Connection> {
  const client = required('client_id', clientId);
  const { item, admin, isRegistered } = await readConnection(ref, listClientKeys(client));
  // A deleted client gets no more tokens.
  if (!item || !isRegistered) throw systemErrors.create('oauth.invalid_grant');
  const found = toRow(connections, item);
  identify(ref, found.client, admin);
  if (found.client !== client || found.revoked_at) throw systemErrors.create('oauth.invalid_grant');
  if (admin?.status !== 'enabled' || isEnded(found, tokenEpochOf(readEpochs(admin)))) {
    throw systemErrors.create('oauth.invalid_grant');
  }
  if (found.resource !== mcpResource() || (resource ?? found.resource) !== found.resource) {
    throw systemErrors.create('oauth.invalid_target');
  }
  return found;
}

/** When a connection ends in any case, in milliseconds. */
const endOf = ({ created_at }: Connection): number => Date.parse(created_at) + connectionSeconds * 1000;

async function endReused(ref: ApiTokenRef): Promise<AppError> {
  await revokeApiToken(ref);
  return systemErrors.create('oauth.token_reused');
}

/** Replaces code or refresh token by new tokens, in one transaction; of two requests at once, one is refused. */
async function issueTokens(
  ref: ApiTokenRef,
  connection: Connection,
  scopes: readonly McpScope[],
  { expect, remove }: { expect: Item; remove?: string[] },
): Promise<TokenAnswer> {
  const token = createApiToken(ref);
  const refresh = createApiToken(ref, refreshPrefix);
  const { client, access = [] } = connection;
  const now = Date.now();
  const leftSeconds = Math.floor((endOf(connection) - now) / 1000);
  const expiresIn = Math.min(accessSeconds, leftSeconds);
  const refreshesFor = Math.min(refreshSeconds, leftSeconds);
  const ttl = Math.floor(now / 1000) + refreshesFor + apiTokenAfterlifeSeconds;
  const issued = {
    hash: hashApiToken(token),
    scope: widestScope(scopes),
    expires_at: toExpiryTime(now, expiresIn),
  };
  const { pk } = connections.key(ref);
  const change = changeItem(connections.key(ref), {
    set: {
      // Requests that are under way still carry the token before.
      access: [issued, ...access.slice(0, 1)],
      refresh_hash: hashApiToken(refresh),
      expires_at: toExpiryTime(now, refreshesFor),
      [ttlAttribute]: ttl,
      gsi1pk: pk,
      gsi1sk: ref.id,
    },
    remove,
    expect: { ...expect, revoked_at: undefined },
  });
  if (!(await holds(transact([change, putLink(client, ref, ttl)])))) throw await endReused(ref);
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: expiresIn,
    refresh_token: refresh,
    scope: scopes.join(' '),
  };
}
