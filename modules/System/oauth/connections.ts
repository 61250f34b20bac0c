import { ulid } from 'ulid';
import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import { identifyCaller } from '#shared/audit/recording.ts';
import { apiTokenEntity, mcpScopes } from '#shared/auth/api-token.ts';
import { type ApiTokenRef, createApiToken, hashApiToken, readApiToken } from '#shared/auth/api-token-text.ts';
import { adminEntity } from '#shared/auth/principal.ts';
import { defineEntity } from '#shared/db/entity.ts';
import { getItems, type Item, type Key, queryPartition, transact, type Write } from '#shared/db/items.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { putItem, putNew } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import type { SentCredential } from '#shared/http/route.ts';
import { reserveApiToken, revokeApiToken, type TokenOwner } from '../admins/api-tokens.ts';
import systemErrors from '../errors.ts';
import {
  type AuthorizationRequest,
  invalidRequest,
  type VerifiedClient,
  widestScope,
} from './authorization.ts';
import { checkRegistered } from './clients.ts';
import { mcpResource } from './resource.ts';
import type { RevokeRequest } from './schema.ts';

// A connection is one record beside the API tokens of its administrator: first with the hash of a code, then with those
// of the access tokens and the refresh token. So each step is one conditional write, and one revocation ends all
// (decision 0026).

export const codePrefix = 'mcpc_';
export const refreshPrefix = 'mcpr_';
const codeSeconds = 60;

export const connections = defineEntity({
  ...apiTokenEntity,
  row: z.extend(apiTokenEntity.row, {
    client: z.string(),
    granted: z.array(z.enum(mcpScopes)),
    redirect_uri: z.string(),
    challenge: z.string(),
    code_hash: z.optional(z.string()),
    refresh_hash: z.optional(z.string()),
  }),
});
export type Connection = z.infer<typeof connections.row>;

/** The connections of a client, to end all of them. */
const linkPartition = (client: string) => `OAUTH_CONNECTIONS#${client}`;
export const putLink = (client: string, { adminId, id }: ApiTokenRef, ttl: number): Write =>
  putItem({ pk: linkPartition(client), sk: `${adminId}#${id}`, [ttlAttribute]: ttl });

/**
 * Stores the consent of an administrator.
 *
 * @param owner with the epoch of the session that consents
 * @param request `grants`: the part of the owner's rights that the connection carries. @default all of them
 * @returns the code, which is not stored
 * @throws AppError `request.invalid` above the limit of tokens; `oauth.client_not_found` if the client was just deleted
 */
export async function approveConnection(
  { id: adminId, epoch, locale }: TokenOwner,
  { client, redirectUri }: VerifiedClient,
  { scopes, challenge, grants }: AuthorizationRequest & { grants?: readonly string[] | undefined },
): Promise<string> {
  const id = ulid();
  const ref = { adminId, id };
  const code = createApiToken(ref, codePrefix);
  const now = Date.now();
  const ttl = Math.floor(now / 1000) + codeSeconds + 3600;
  const item = {
    ...connections.key(ref),
    id,
    kind: 'oauth',
    name: client.name,
    client: client.id,
    resource: mcpResource(),
    epoch,
    scope: widestScope(scopes),
    granted: scopes,
    ...(grants && { grants: [...new Set(grants)] }),
    redirect_uri: redirectUri,
    challenge,
    created_at: new Date(now).toISOString(),
    expires_at: toExpiryTime(now, codeSeconds),
    ...(locale && { locale }),
    code_hash: hashApiToken(code),
    [ttlAttribute]: ttl,
  };
  const more = [putLink(client.id, ref, ttl), ...checkRegistered(client.id)];
  await reserveApiToken(adminId, (guard) => transact([putNew(item), guard, ...more]));
  return code;
}

/**
 * Ends the connection of an access or refresh token; any other text changes nothing (RFC 7009, section 2.2).
 *
 * @throws AppError `oauth.invalid_client` for a token of another client
 */
export async function revokeConnection(given: RevokeRequest): Promise<void> {
  const [token, clientId] = [required('token', given.token), required('client_id', given.client_id)];
  const ref = readApiToken(token) ?? readApiToken(token, refreshPrefix);
  if (!ref) return;
  const { item, admin } = await readConnection(ref);
  // Not an API token, which only its administrator may revoke.
  if (item?.kind !== 'oauth') return;
  if (item.client !== clientId) {
    throw systemErrors.create('oauth.invalid_client', { params: { reason: 'mismatch' } });
  }
  if (item.revoked_at !== undefined) return;
  identify(ref, clientId, admin);
  await revokeApiToken(ref);
}

const revokedAtOnce = 25;

/** Ends all connections of a client. Idempotent. */
export async function revokeClient(clientId: string): Promise<void> {
  const links = await queryPartition(linkPartition(clientId), ['sk']);
  const refs = links.map(({ sk }) => {
    const [adminId = '', id = ''] = String(sk).split('#');
    return { adminId, id };
  });
  const items = await getItems(refs.map(connections.key));
  const live = new Set(items.flatMap(({ sk, revoked_at }) => (revoked_at === undefined ? [sk] : [])));
  const rest = refs.filter(({ id }) => live.has(id));
  // The first write takes the entry of the audit log along; the others may go together.
  for (let at = 0, size = 1; at < rest.length; at += size, size = revokedAtOnce) {
    await settleAll(rest.slice(at, at + size).map(revokeApiToken));
  }
}

/** @throws AppError `oauth.invalid_request` if a parameter is missing */
export function required(name: string, value: string | undefined): string {
  if (!value) throw invalidRequest(name, 'rule.oauth_missing');
  return value;
}

/** Reads a connection with its administrator, in one request. @param registered keys that must exist */
export async function readConnection(ref: ApiTokenRef, registered: readonly Key[] = []) {
  const keys = [connections.key(ref), adminEntity.key({ id: ref.adminId })] as const;
  const items = await getItems([...keys, ...registered]);
  const find = ({ pk, sk }: Key) => items.find((each) => each.pk === pk && each.sk === sk);
  const isRegistered = registered.every((key) => find(key) !== undefined);
  return { item: find(keys[0]), admin: find(keys[1]), isRegistered };
}

/** Names administrator and client, for the audit log. */
export function identify({ adminId: id }: ApiTokenRef, client: string, admin: Item | undefined): void {
  identifyCaller({ id, account: String(admin?.account ?? ''), client });
}

/**
 * The connection of a genuine code or token in the body of an endpoint, for its throttle. It may have ended since.
 *
 * @returns undefined if this service made none of them
 */
export function readCredential({ body: sent }: SentCredential): string | undefined {
  const candidates = [
    [sent.refresh_token, refreshPrefix],
    [sent.code, codePrefix],
    [sent.token, refreshPrefix],
    [sent.token, undefined],
  ] as const;
  for (const [text, prefix] of candidates) {
    const ref = typeof text === 'string' ? readApiToken(text, prefix) : undefined;
    if (ref) return `${ref.adminId} ${ref.id}`;
  }
  return undefined;
}

export const toExpiryTime = (fromMs: number, seconds: number): string =>
  new Date(fromMs + seconds * 1000).toISOString();

export const writtenKeys: ListWrittenKeys = () => [
  { keys: connections.key({ adminId: '*', id: '' }).pk, actions: ['PutItem', 'UpdateItem'] },
  { keys: linkPartition('*'), actions: ['PutItem'] },
];
