import * as z from 'zod/mini';
import { loadEach, VersionedCache } from '#shared/cache/versioned-cache.ts';
import { defineEntity, findRow } from '#shared/db/entity.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { locales } from '#shared/i18n/locale.ts';
import type { ApiTokenRef } from './api-token-text.ts';
import { sessionConfig } from './principal.ts';
import { recordUse } from './session.ts';
import { unauthorized } from './token.ts';

export const mcpScopes = ['mcp:read', 'mcp:write'] as const;
/** `mcp:read`: tools that change nothing. `mcp:write`: all tools. */
export type McpScope = (typeof mcpScopes)[number];

/** `api:read`: routes of the admin API that change nothing. `api:write`: all of them that ask for a permission. */
export const apiTokenScopes = [...mcpScopes, 'api:read', 'api:write'] as const;
export type ApiTokenScope = (typeof apiTokenScopes)[number];

export const apiTokenKinds = ['token', 'oauth'] as const;

export const isMcpScope = (scope: ApiTokenScope): scope is McpScope =>
  mcpScopes.some((each) => each === scope);

// Only the kinds of schemas that every login needs: esbuild loads the others at the start of each function behind
// `admin.auth`, though few requests bring a token.
const row = z.object({
  id: z.string(),
  name: z.string(),
  scope: z.enum(apiTokenScopes),
  /** The part of its holder's rights that it carries; all of them if it has none. */
  grants: z.optional(z.array(z.string())),
  expires_at: z.string(),
  created_at: z.string(),
  last_used_at: z.optional(z.string()),
  /** Language in which it was created; answers have it if a request names no language. */
  locale: z.optional(z.enum(locales)),
  /** Hash of the whole text. A connection by OAuth has those of `access` instead. */
  hash: z.optional(z.string()),
  revoked_at: z.optional(z.string()),
  kind: z._default(z.enum(apiTokenKinds), 'token'),
  /** ID of a connection's client, whose name is `name`. */
  client: z.optional(z.string()),
  /** URL that the access tokens of a connection are for. */
  resource: z.optional(z.string()),
  /**
   * The administrator's session epoch when it was made. Tokens of the time before they carried one are 0: they have
   * ended.
   */
  epoch: z._default(z.number(), 0),
  /** The newest access token of a connection, and the one before it. */
  access: z.optional(
    z.array(z.object({ hash: z.string(), scope: z.enum(apiTokenScopes), expires_at: z.string() })),
  ),
});
export type ApiToken = z.infer<typeof row>;

/** Whether a token ended with the logins of its time. @param tokenEpoch lowest epoch that is valid */
export const isEnded = ({ epoch }: Pick<ApiToken, 'epoch'>, tokenEpoch: number): boolean =>
  // Negated, because a token without an epoch has ended too.
  !(epoch >= tokenEpoch);

/** An expired or revoked token is kept this long, in seconds, so that its refusal has the right code. */
export const apiTokenAfterlifeSeconds = 7 * 86_400;

const touchIntervalMs = 3_600_000;

const toCacheId = ({ adminId, id }: ApiTokenRef): string => `${adminId}:${id}`;

/** Cached for at most 60 s; null, which is not cached, if the token does not exist. */
const apiTokens: VersionedCache<ApiToken | null> = new VersionedCache({
  entryKey: (id) => `service:api-token-row:${id}`,
  generationKey: (id) => `service:api-token-row-generation:${id}`,
  ttlSeconds: sessionConfig.cacheSeconds,
  isSigned: true,
  isCached: (value) => value !== null,
  load: loadEach(async (cacheId) => {
    const [adminId = '', id = ''] = cacheId.split(':');
    return (await findRow(apiTokenEntity, { adminId, id })) ?? null;
  }),
});

/** API tokens, one partition for each administrator. */
export const apiTokenEntity = defineEntity({
  row,
  key: ({ adminId, id }: ApiTokenRef) => ({ pk: `API_TOKENS#${adminId}`, sk: id }),
  missing: () => unauthorized('auth.token_invalid'),
  target: 'api_tokens',
  mirror: {
    toId: ({ pk, sk: id }) => toCacheId({ adminId: pk.slice('API_TOKENS#'.length), id }),
    cache: apiTokens,
  },
});

/** A token, from the cache; null if the token does not exist. */
export const findApiToken = (ref: ApiTokenRef): Promise<ApiToken | null> => apiTokens.getOne(toCacheId(ref));

/** Records the use of a token, at most once an hour. */
export async function touchApiToken(ref: ApiTokenRef, { last_used_at }: ApiToken): Promise<void> {
  const now = Date.now();
  if (last_used_at && now - Date.parse(last_used_at) < touchIntervalMs) return;
  await recordUse('api_token', apiTokenEntity.key(ref), { last_used_at: new Date(now).toISOString() });
}

/** A login only records the use of a token. */
export const writtenKeys: ListWrittenKeys = () => [
  {
    keys: apiTokenEntity.key({ adminId: '*', id: '' }).pk,
    actions: ['UpdateItem'],
    attributes: ['pk', 'sk', 'last_used_at'],
  },
];
