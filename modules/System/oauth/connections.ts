import { createHash } from 'node:crypto';
import { ulid } from 'ulid';
import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import { identifyCaller } from '#shared/audit/recording.ts';
import {
  type ApiTokenPlace,
  type ApiTokenScope,
  apiTokenAfterlifeSeconds,
  apiTokenEntity,
  apiTokenScopes,
  createApiToken,
  hashApiToken,
  readApiToken,
} from '#shared/auth/api-token.ts';
import { adminEntity } from '#shared/auth/principal.ts';
import { isEqual } from '#shared/crypto/equal.ts';
import { defineEntity, toRow } from '#shared/db/entity.ts';
import {
  getItems,
  holds,
  type Item,
  type Key,
  queryPartition,
  transact,
  type Write,
} from '#shared/db/items.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { changeItem, putItem, putNew } from '#shared/db/writes.ts';
import type { AppError } from '#shared/errors/app-error.ts';
import { reserveApiToken, revokeApiToken } from '../admins/api-tokens.ts';
import systemErrors from '../errors.ts';
import {
  type AuthorizationRequest,
  invalidRequest,
  readScopes,
  type VerifiedClient,
  widestScope,
} from './authorization.ts';
import { checkRegistered, listClientKeys } from './clients.ts';
import { mcpResource } from './resource.ts';
import type { RevokeRequest, TokenAnswer, TokenRequest } from './schema.ts';

// A connection is one record beside the API tokens of its administrator: first with the hash of a code, then with those
// of the access tokens and the refresh token. So each step is one conditional write, and one revocation ends all. A
// code or refresh token proves by itself that this service made it for the connection: if it is not the stored one, it
// was used before (decision 0026).

const codePrefix = 'mcpc_';
const refreshPrefix = 'mcpr_';
const codeSeconds = 60;
const accessSeconds = 3600;
const refreshSeconds = 30 * 86_400;

const connections = defineEntity({
  ...apiTokenEntity,
  row: z.extend(apiTokenEntity.row, {
    client: z.string(),
    epoch: z.number(),
    granted: z.array(z.enum(apiTokenScopes)),
    redirect_uri: z.string(),
    challenge: z.string(),
    code_hash: z.optional(z.string()),
    refresh_hash: z.optional(z.string()),
  }),
});
type Connection = z.infer<typeof connections.row>;

/** The connections of a client, to end all of them. */
const linkPartition = (client: string) => `OAUTH_CONNECTIONS#${client}`;
const putLink = (client: string, { adminId, id }: ApiTokenPlace, ttl: number): Write =>
  putItem({ pk: linkPartition(client), sk: `${adminId}#${id}`, [ttlAttribute]: ttl });

/**
 * Stores the consent of an administrator.
 *
 * @param epoch of the session that consents
 * @returns the code, which is not stored
 * @throws AppError `request.invalid` above the limit of tokens; `oauth.client_not_found` if the client was just deleted
 */
export async function approveConnection(
  { id: adminId, epoch }: { id: string; epoch: number },
  { client, redirectUri }: VerifiedClient,
  { scopes, challenge }: AuthorizationRequest,
): Promise<string> {
  const id = ulid();
  const place = { adminId, id };
  const code = createApiToken(place, codePrefix);
  const now = Date.now();
  const ttl = Math.floor(now / 1000) + codeSeconds + 3600;
  const item = {
    ...connections.key(place),
    ...{ id, kind: 'oauth', name: client.name, client: client.id, resource: mcpResource(), epoch },
    ...{ scope: widestScope(scopes), granted: scopes, redirect_uri: redirectUri, challenge },
    ...{ created_at: new Date(now).toISOString(), expires_at: spellTime(now, codeSeconds) },
    code_hash: hashApiToken(code),
    [ttlAttribute]: ttl,
  };
  const more = [putLink(client.id, place, ttl), ...checkRegistered(client.id)];
  await reserveApiToken(adminId, (guard) => transact([putNew(item), guard, ...more]));
  return code;
}

/**
 * Exchanges a code for tokens. A code that was used before ends its connection.
 *
 * @throws AppError `oauth.*`
 */
export async function exchangeCode(given: TokenRequest): Promise<TokenAnswer> {
  const { code, client_id, redirect_uri, code_verifier, resource } = given;
  const [token, verifier] = [required('code', code), required('code_verifier', code_verifier)];
  const uri = required('redirect_uri', redirect_uri);
  const place = readApiToken(token, codePrefix);
  if (!place) throw systemErrors.create('oauth.invalid_grant');
  const found = await findConnection(place, client_id, resource);
  if (!found.code_hash) throw await endReused(place);
  const isFit =
    found.redirect_uri === uri &&
    isEqual(found.challenge, createHash('sha256').update(verifier).digest('base64url')) &&
    isEqual(found.code_hash, hashApiToken(token));
  if (!isFit || Date.parse(found.expires_at) <= Date.now()) throw systemErrors.create('oauth.invalid_grant');
  return issueTokens(place, found, found.granted, {
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
  const place = readApiToken(token, refreshPrefix);
  if (!place) throw systemErrors.create('oauth.invalid_grant');
  const found = await findConnection(place, given.client_id, given.resource);
  const refresh_hash = hashApiToken(token);
  if (!isEqual(found.refresh_hash ?? '', refresh_hash)) throw await endReused(place);
  if (Date.parse(found.expires_at) <= Date.now()) throw systemErrors.create('oauth.invalid_grant');
  const scopes = readScopes(given.scope) ?? found.granted;
  if (!scopes.every((scope) => found.granted.includes(scope)))
    throw systemErrors.create('oauth.invalid_scope');
  return issueTokens(place, found, scopes, { expect: { refresh_hash } });
}

/**
 * Ends the connection of an access or refresh token; any other text changes nothing (RFC 7009, section 2.2).
 *
 * @throws AppError `oauth.invalid_client` for a token of another client
 */
export async function revokeConnection(given: RevokeRequest): Promise<void> {
  const [token, clientId] = [required('token', given.token), required('client_id', given.client_id)];
  const place = readApiToken(token) ?? readApiToken(token, refreshPrefix);
  if (!place) return;
  const { item, admin } = await readConnection(place);
  // Not an API token, which only its administrator may revoke.
  if (item?.kind !== 'oauth') return;
  if (item.client !== clientId) {
    throw systemErrors.create('oauth.invalid_client', { params: { reason: 'mismatch' } });
  }
  if (item.revoked_at !== undefined) return;
  identify(place, clientId, admin);
  await revokeApiToken(place);
}

const revokedAtOnce = 25;

/** Ends all connections of a client. Idempotent. */
export async function revokeClient(clientId: string): Promise<void> {
  const links = await queryPartition(linkPartition(clientId), ['sk']);
  // The first write takes the entry of the audit log along; the others may go together.
  for (let at = 0, size = 1; at < links.length; at += size, size = revokedAtOnce) {
    const places = links.slice(at, at + size).map(({ sk }) => String(sk).split('#'));
    await settleAll(places.map(([adminId = '', id = '']) => revokeApiToken({ adminId, id })));
  }
}

function required(name: string, value: string | undefined): string {
  if (!value) throw invalidRequest(name, 'rule.oauth_missing');
  return value;
}

/**
 * Reads a connection that can give tokens, strongly consistent: of this client and resource, not ended, of an enabled
 * administrator whose logins of that time are valid.
 *
 * @throws AppError `oauth.*`
 */
async function findConnection(
  place: ApiTokenPlace,
  clientId: string | undefined,
  resource: string | undefined,
): Promise<Connection> {
  const client = required('client_id', clientId);
  const { item, admin, isRegistered } = await readConnection(place, listClientKeys(client));
  // A deleted client gets no more tokens.
  if (!item || !isRegistered) throw systemErrors.create('oauth.invalid_grant');
  const found = toRow(connections, item);
  identify(place, found.client, admin);
  if (found.client !== client || found.revoked_at) throw systemErrors.create('oauth.invalid_grant');
  if (admin?.status !== 'enabled' || found.epoch < Number(admin.session_epoch)) {
    throw systemErrors.create('oauth.invalid_grant');
  }
  if (found.resource !== mcpResource() || (resource ?? found.resource) !== found.resource) {
    throw systemErrors.create('oauth.invalid_target');
  }
  return found;
}

/** Reads a connection with its administrator, in one request. @param registered keys that must exist */
async function readConnection(place: ApiTokenPlace, registered: readonly Key[] = []) {
  const keys = [connections.key(place), adminEntity.key({ id: place.adminId })] as const;
  const items = await getItems([...keys, ...registered]);
  const find = ({ pk, sk }: Key) => items.find((each) => each.pk === pk && each.sk === sk);
  const isRegistered = registered.every((key) => find(key) !== undefined);
  return { item: find(keys[0]), admin: find(keys[1]), isRegistered };
}

function identify({ adminId: id }: ApiTokenPlace, client: string, admin: Item | undefined): void {
  identifyCaller({ id, account: String(admin?.account ?? ''), client });
}

async function endReused(place: ApiTokenPlace): Promise<AppError> {
  await revokeApiToken(place);
  return systemErrors.create('oauth.token_reused');
}

/** Replaces code or refresh token by new tokens, in one transaction; of two requests at once, one is refused. */
async function issueTokens(
  place: ApiTokenPlace,
  { client, access = [] }: Connection,
  scopes: readonly ApiTokenScope[],
  { expect, remove }: { expect: Item; remove?: string[] },
): Promise<TokenAnswer> {
  const token = createApiToken(place);
  const refresh = createApiToken(place, refreshPrefix);
  const now = Date.now();
  const ttl = Math.floor(now / 1000) + refreshSeconds + apiTokenAfterlifeSeconds;
  const issued = {
    hash: hashApiToken(token),
    scope: widestScope(scopes),
    expires_at: spellTime(now, accessSeconds),
  };
  const { pk } = connections.key(place);
  const change = changeItem(connections.key(place), {
    set: {
      // Requests that are under way still carry the token before.
      access: [issued, ...access.slice(0, 1)],
      refresh_hash: hashApiToken(refresh),
      expires_at: spellTime(now, refreshSeconds),
      [ttlAttribute]: ttl,
      ...{ gsi1pk: pk, gsi1sk: place.id },
    },
    remove,
    expect: { ...expect, revoked_at: undefined },
  });
  if (!(await holds(transact([change, putLink(client, place, ttl)])))) throw await endReused(place);
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: accessSeconds,
    refresh_token: refresh,
    scope: scopes.join(' '),
  };
}

const spellTime = (fromMs: number, seconds: number): string =>
  new Date(fromMs + seconds * 1000).toISOString();
