import { createHash, createHmac, randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { loadEach, VersionedCache } from '#shared/cache/versioned-cache.ts';
import { isEqual } from '#shared/crypto/equal.ts';
import { type DerivedKey, deriveKeys } from '#shared/crypto/keys.ts';
import { defineEntity, findRow } from '#shared/db/entity.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { locales } from '#shared/i18n/locale.ts';
import { createdAt } from '#shared/schema/fields.ts';
import { titled } from '#shared/schema/titled.ts';
import { sessionConfig } from './principal.ts';
import { recordUse } from './session.ts';
import { apiTokenPrefix, unauthorized } from './token.ts';

export const mcpScopes = ['mcp:read', 'mcp:write'] as const;
/** `mcp:read`: tools that change nothing. `mcp:write`: all tools. */
export type McpScope = (typeof mcpScopes)[number];

/** `api:read`: routes of the admin API that change nothing. `api:write`: all of them that ask for a permission. */
const apiTokenScopes = [...mcpScopes, 'api:read', 'api:write'] as const;
export type ApiTokenScope = (typeof apiTokenScopes)[number];

export const isMcpScope = (scope: ApiTokenScope): scope is McpScope =>
  mcpScopes.some((each) => each === scope);

export interface ApiTokenRef {
  adminId: string;
  id: string;
}

const mcpScopeTitles = {
  'mcp:read': { zh_CN: 'MCP：只读工具', en: 'MCP: tools that read' },
  'mcp:write': { zh_CN: 'MCP：全部工具', en: 'MCP: all tools' },
};
const scopeTitle = { zh_CN: '范围', en: 'Scope' };

export const mcpScope = titled({ ...scopeTitle, options: mcpScopeTitles }, z.enum(mcpScopes));
export const apiTokenScope = titled(
  {
    ...scopeTitle,
    options: {
      ...mcpScopeTitles,
      'api:read': { zh_CN: '管理接口：只读', en: 'Admin API: reads' },
      'api:write': { zh_CN: '管理接口：读写', en: 'Admin API: reads and changes' },
    },
  },
  z.enum(apiTokenScopes),
);

const row = z.object({
  id: z.string(),
  name: titled({ zh_CN: '名称', en: 'Name' }, z.string()),
  scope: apiTokenScope,
  /** The part of its holder's rights that it carries; all of them if it has none. */
  grants: titled({ zh_CN: '权限', en: 'Permissions' }, z.optional(z.array(z.string()))),
  expires_at: titled({ zh_CN: '过期时间', en: 'Expires' }, z.iso.datetime()),
  created_at: createdAt,
  last_used_at: titled(
    { zh_CN: '最后使用时间', en: 'Last used' },
    z._default(z.nullable(z.iso.datetime()), null),
  ),
  /** Language in which it was created; answers have it if a request names no language. */
  locale: z.optional(z.enum(locales)),
  /** Hash of the whole text. A connection by OAuth has those of `access` instead. */
  hash: z.optional(z.string()),
  revoked_at: z.optional(z.string()),
  kind: titled(
    {
      zh_CN: '类型',
      en: 'Kind',
      options: {
        token: { zh_CN: 'API 令牌', en: 'API token' },
        oauth: { zh_CN: 'OAuth 连接', en: 'OAuth connection' },
      },
    },
    z._default(z.enum(['token', 'oauth']), 'token'),
  ),
  /** ID of a connection's client, whose name is `name`. */
  client: titled({ zh_CN: '客户端', en: 'Client' }, z.optional(z.string())),
  /** URL that the access tokens of a connection are for. */
  resource: z.optional(z.string()),
  /**
   * The administrator's session epoch when it was made. Tokens of the time before they carried one are 0: they have
   * ended.
   */
  epoch: z._default(z.number(), 0),
  /** The newest access token of a connection, and the one before it. */
  access: z.optional(z.array(z.object({ hash: z.string(), scope: apiTokenScope, expires_at: z.string() }))),
});
export type ApiToken = z.infer<typeof row>;

/** Whether a token ended with the logins of its time. @param tokenEpoch lowest epoch that is valid */
export const isEnded = ({ epoch }: Pick<ApiToken, 'epoch'>, tokenEpoch: number): boolean =>
  // Negated, because a token without an epoch has ended too.
  !(epoch >= tokenEpoch);

/** An expired or revoked token is kept this long, in seconds, so that its refusal has the right code. */
export const apiTokenAfterlifeSeconds = 7 * 86_400;

const secretBytes = 16;
const ulidPattern = '[0-9A-HJKMNP-TV-Z]{26}';
// Secret and HMAC are 48 bytes: they fill 64 characters.
const pattern = new RegExp(`^([a-z]+_)(${ulidPattern})_(${ulidPattern})_([A-Za-z0-9_-]{64})$`);
const touchIntervalMs = 3_600_000;

/**
 * Makes a token, `mcp_<administrator>_<ID>_<128 random bits and HMAC-SHA-256, base64url>`; scanners know `mcp_`.
 *
 * @param prefix differs for each use of such tokens; the HMAC covers it
 */
export function createApiToken(ref: ApiTokenRef, prefix = apiTokenPrefix): string {
  return formatApiToken(prefix, ref, randomBytes(secretBytes), deriveKeys('api_token')[0]);
}

function formatApiToken(
  prefix: string,
  { adminId, id }: ApiTokenRef,
  secret: Buffer,
  key: DerivedKey,
): string {
  const head = `${prefix}${adminId}_${id}_`;
  const mac = createHmac('sha256', key.secret).update(head).update(secret).digest();
  return head + Buffer.concat([secret, mac]).toString('base64url');
}

/** Reads a token; asks no store. Returns undefined if the token was not made with this prefix and one of our keys. */
export function readApiToken(token: string, prefix = apiTokenPrefix): ApiTokenRef | undefined {
  const [, found, adminId, id, tail = ''] = pattern.exec(token) ?? [];
  if (found !== prefix || !adminId || !id) return undefined;
  const ref = { adminId, id };
  const secret = Buffer.from(tail, 'base64url').subarray(0, secretBytes);
  const isGenuine = deriveKeys('api_token').some((key) =>
    isEqual(token, formatApiToken(prefix, ref, secret, key)),
  );
  return isGenuine ? ref : undefined;
}

/** The stored form of a token. A plain hash is enough, because a token is random. */
export const hashApiToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

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
  if (last_used_at !== null && now - Date.parse(last_used_at) < touchIntervalMs) return;
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
