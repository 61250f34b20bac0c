import { ulid } from 'ulid';
import {
  type ApiTokenScope,
  apiTokenAfterlifeSeconds,
  createApiToken,
  hashApiToken,
} from '#shared/auth/api-token.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { type Item, queryPartition, transact, type Write } from '#shared/db/items.ts';
import { indexes, keys } from '#shared/db/keys.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { AppError } from '#shared/errors/app-error.ts';

/** Most tokens of one administrator that are neither revoked nor expired. */
export const apiTokenLimit = 50;
const addTries = 5;

export interface NewApiToken {
  name: string;
  scope: ApiTokenScope;
  /** How long it is good, from 1 to 365. */
  days: number;
}

/**
 * Gives an administrator a new token. It outlives logins and changes of the password; while its administrator
 * is disabled it is refused.
 *
 * @returns the only copy of the token there will ever be
 * @throws AppError `request.invalid` for one more than {@link apiTokenLimit}, `version_conflict` where other
 *   tokens are made at the same time, again and again
 */
export async function addApiToken(
  adminId: string,
  { name, scope, days }: NewApiToken,
): Promise<{ id: string; token: string; expires_at: string }> {
  const id = ulid();
  const token = createApiToken({ adminId, id });
  const now = Date.now();
  const expiresAt = now + days * 86_400_000;
  const expires_at = new Date(expiresAt).toISOString();
  await write(adminId, {
    ...keys.apiToken(adminId, id),
    ...{ id, name, scope, expires_at, created_at: new Date(now).toISOString() },
    hash: hashApiToken(token),
    gsi1pk: indexes.apiTokensByCreation.pk(adminId),
    gsi1sk: id,
    [ttlAttribute]: Math.floor(expiresAt / 1000) + apiTokenAfterlifeSeconds,
  });
  return { id, token, expires_at };
}

/** Stores a token beside the guard, which lets no two that were counted at the same time both pass. */
async function write(adminId: string, token: Item): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const guard = await countTokens(adminId);
    try {
      const isNew = { ConditionExpression: 'attribute_not_exists(pk)' };
      return await transact([{ Put: { Item: token, ...isNew } }, moveGuard(adminId, guard)]);
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
      if (attempt === addTries) throw new AppError('version_conflict', { cause: error });
    }
  }
}

/** Counts the live tokens; answers where the guard stood before them. @throws AppError above the limit */
async function countTokens(adminId: string): Promise<number> {
  // The guard sorts first, so every token that was written before it is in what follows.
  const [first, ...rest] = await queryPartition(keys.apiTokens(adminId), guardAttributes);
  const live = rest.filter(
    ({ revoked_at, expires_at }) => !revoked_at && Date.parse(String(expires_at)) > Date.now(),
  );
  if (live.length >= apiTokenLimit) {
    const errors = [{ path: 'body', message: 'rule.token_limit' }];
    throw new AppError('request.invalid', { errors, params: { max: apiTokenLimit } });
  }
  return Number(first?.version ?? 0);
}

const guardAttributes = ['version', 'expires_at', 'revoked_at'];

function moveGuard(adminId: string, version: number): Write {
  return {
    Update: {
      Key: { ...keys.apiTokenGuard(adminId) },
      UpdateExpression: 'SET #version = :next',
      ConditionExpression: version === 0 ? 'attribute_not_exists(pk)' : '#version = :version',
      ExpressionAttributeNames: { '#version': 'version' },
      ExpressionAttributeValues: { ':next': version + 1, ...(version > 0 && { ':version': version }) },
    },
  };
}
