import { ulid } from 'ulid';
import * as z from 'zod/mini';
import { apiTokenAfterlifeSeconds, apiTokenEntity, apiTokenKinds, isEnded } from '#shared/auth/api-token.ts';
import { type ApiTokenRef, createApiToken, hashApiToken } from '#shared/auth/api-token-text.ts';
import { adminPrincipals, tokenEpochOf } from '#shared/auth/principal.ts';
import { queryRows, retryOnConflict } from '#shared/db/entity.ts';
import { holds, type Item, queryPartition, transact, updateItem, type Write } from '#shared/db/items.ts';
import { type CursorPage, readByCursor } from '#shared/db/paging/cursor.ts';
import { beside } from '#shared/db/record-facts.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { changeItem, putItem, putNew } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import { components } from '#shared/schema/component.ts';
import { createdAt } from '#shared/schema/fields.ts';
import { label } from '#shared/schema/marks.ts';
import { recordId, text } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import { grants } from '../roles/schema.ts';
import { apiTokenScope } from './token-scopes.ts';

/** A new token, valid for 1 to 365 days. */
export const newApiToken = z.strictObject({
  name: titled({ zh_CN: '名称', en: 'Name' }, label(text(1, 50))),
  scope: apiTokenScope,
  days: titled({ zh_CN: '有效天数', en: 'Days' }, z.int().check(z.gte(1), z.lte(365))),
  /** The part of the caller's rights that the token carries; without it all of them. */
  grants: z.optional(grants.check(z.minLength(1))),
});

const listed = {
  row: z.object({
    id: z.string(),
    name: titled({ zh_CN: '名称', en: 'Name' }, z.string()),
    scope: apiTokenScope,
    grants: titled({ zh_CN: '权限', en: 'Permissions' }, z.optional(z.array(z.string()))),
    expires_at: titled({ zh_CN: '过期时间', en: 'Expires' }, z.iso.datetime()),
    created_at: createdAt,
    last_used_at: titled(
      { zh_CN: '最后使用时间', en: 'Last used' },
      z._default(z.nullable(z.iso.datetime()), null),
    ),
    kind: titled(
      {
        zh_CN: '类型',
        en: 'Kind',
        options: {
          token: { zh_CN: 'API 令牌', en: 'API token' },
          oauth: { zh_CN: 'OAuth 连接', en: 'OAuth connection' },
        },
      },
      z._default(z.enum(apiTokenKinds), 'token'),
    ),
    client: titled({ zh_CN: '客户端', en: 'Client' }, z.optional(z.string())),
  }),
};
/** An API token or a connection by OAuth in lists; tokens themselves are shown only when they are created. */
export const apiTokenData = z
  .strictObject({ ...listed.row.shape, id: recordId })
  .register(components, { id: 'ApiToken' });
export type ApiToken = z.infer<typeof apiTokenData>;
export type NewApiToken = z.infer<typeof newApiToken>;

/**
 * A page of an administrator's tokens and connections that have not ended, newest first.
 *
 * @param tokenEpoch lowest epoch of valid ones
 */
export function listApiTokens(
  adminId: string,
  { limit, cursor }: { limit: number; cursor?: string },
  tokenEpoch: number,
): Promise<CursorPage<ApiToken>> {
  const { pk } = apiTokenEntity.key({ adminId, id: '' });
  const filter = { expression: 'epoch >= :epoch', values: { ':epoch': tokenEpoch } };
  return readByCursor(cursor, `api-tokens ${adminId}`, (start) =>
    queryRows(listed, { name: 'gsi1', pk, limit, start, filter }),
  );
}

/** Revokes a token at once. Idempotent. */
export async function revokeApiToken(ref: ApiTokenRef): Promise<void> {
  const now = Date.now();
  const change = {
    set: {
      revoked_at: new Date(now).toISOString(),
      [ttlAttribute]: Math.floor(now / 1000) + apiTokenAfterlifeSeconds,
    },
    remove: ['gsi1pk', 'gsi1sk'],
    expect: { revoked_at: undefined },
  };
  await holds(updateItem(changeItem(apiTokenEntity.key(ref), change).Update));
}

/** Maximum number of valid tokens of an administrator. */
export const apiTokenLimit = 50;

/** Who creates a token or consents to a connection. */
export interface TokenOwner {
  id: string;
  /** The administrator's epoch. The token ends with it. */
  epoch: number;
  /** Language of answers to requests that name none. */
  locale?: Locale;
}

/**
 * Creates a token. It stays valid after logouts, and after a change of the password by its owner who wants to keep it.
 *
 * @returns the token, which is not stored
 * @throws AppError `request.invalid` above {@link apiTokenLimit}, `version_conflict` if other tokens are created
 *   during every attempt
 */
export async function addApiToken(
  { id: adminId, epoch, locale }: TokenOwner,
  { name, scope, days, grants }: NewApiToken,
): Promise<{ id: string; token: string; expires_at: string }> {
  const id = ulid();
  const token = createApiToken({ adminId, id });
  const now = Date.now();
  const expiresAt = now + days * 86_400_000;
  const expires_at = new Date(expiresAt).toISOString();
  const key = apiTokenEntity.key({ adminId, id });
  const item = {
    ...key,
    gsi1pk: key.pk,
    gsi1sk: id,
    id,
    name,
    scope,
    epoch,
    expires_at,
    created_at: new Date(now).toISOString(),
    ...(locale && { locale }),
    ...(grants && { grants: [...new Set(grants)] }),
    hash: hashApiToken(token),
    [ttlAttribute]: Math.floor(expiresAt / 1000) + apiTokenAfterlifeSeconds,
  };
  await reserveApiToken(adminId, (guard) => transact([putNew(item), guard]));
  return { id, token, expires_at };
}

/**
 * Stores a further token or connection of an administrator.
 *
 * @param store writes it together with the guard of the limit
 * @throws AppError as {@link addApiToken}
 */
export const reserveApiToken = (adminId: string, store: (guard: Write) => Promise<void>): Promise<void> =>
  retryOnConflict(5, async () => store(moveGuard(adminId, await checkLimit(adminId))));

/** @returns the guard's version @throws AppError `request.invalid` if the limit is reached */
async function checkLimit(adminId: string): Promise<number> {
  const { pk } = apiTokenEntity.key({ adminId, id: '' });
  // The guard sorts first, so the query reads it before the tokens.
  const [first, ...rest] = await queryPartition(pk, ['version', 'expires_at', 'revoked_at', 'epoch']);
  const live = rest.filter(
    ({ revoked_at, expires_at }) => !revoked_at && Date.parse(String(expires_at)) > Date.now(),
  );
  if (live.length >= apiTokenLimit && (await countValid(adminId, live)) >= apiTokenLimit) {
    const errors = [{ path: 'body', message: 'rule.token_limit' }];
    throw new AppError('request.invalid', { errors, params: { max: apiTokenLimit } });
  }
  return Number(first?.version ?? 0);
}

/** Without those that ended with the logins of their time. */
async function countValid(adminId: string, live: readonly Item[]): Promise<number> {
  const state = await adminPrincipals.getOne(adminId);
  return live.filter(({ epoch }) => state && !isEnded({ epoch: Number(epoch) }, tokenEpochOf(state))).length;
}

/** The write that raises the guard's version: of two tokens that are added at once, one is refused. */
function moveGuard(adminId: string, version: number): Write {
  const key = beside(apiTokenEntity.key({ adminId, id: '#guard' }));
  const isMoved = (cause: unknown) => new AppError('version_conflict', { cause });
  if (version === 0) return putNew({ ...key, version: 1 }, isMoved);
  // A put, because it clears no cache.
  return putItem({ ...key, version: version + 1 }, { expect: { version } }, isMoved);
}

export const writtenKeys: ListWrittenKeys = () => [
  { keys: apiTokenEntity.key({ adminId: '*', id: '' }).pk, actions: ['PutItem', 'UpdateItem'] },
];
