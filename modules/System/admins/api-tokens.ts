import {
  type ApiTokenPlace,
  type ApiTokenScope,
  apiTokenAfterlifeSeconds,
  invalidateApiToken,
} from '#shared/auth/api-token.ts';
import { decodeCursor, encodeCursor } from '#shared/db/cursor.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { type Item, queryPage, updateItem } from '#shared/db/items.ts';
import { indexes, keys } from '#shared/db/keys.ts';
import { ttlAttribute } from '#shared/db/table.ts';

/** An API token as listed; the token itself is shown once, when it is made. */
export interface ApiToken {
  id: string;
  name: string;
  scope: ApiTokenScope;
  expires_at: string;
  created_at: string;
  last_used_at: string | null;
}

/** A page of an administrator's tokens that are not revoked, newest first. */
export async function listApiTokens(
  adminId: string,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<{ list: ApiToken[]; next_cursor: string | null }> {
  const scope = `api-tokens ${adminId}`;
  const index = indexes.apiTokensByCreation;
  const { items, last } = await queryPage({
    IndexName: index.name,
    KeyConditionExpression: 'gsi1pk = :pk',
    ExpressionAttributeValues: { ':pk': index.pk(adminId) },
    ScanIndexForward: false,
    Limit: limit,
    ExclusiveStartKey: decodeCursor(cursor, scope),
  });
  return { list: items.map(toApiToken), next_cursor: encodeCursor(last, scope) };
}

function toApiToken(item: Item): ApiToken {
  const { id, name, scope, expires_at, created_at, last_used_at = null } = item;
  return { id, name, scope, expires_at, created_at, last_used_at } as ApiToken;
}

/** Ends a token at once; it is well where it has ended before, or never was. */
export async function revokeApiToken(place: ApiTokenPlace): Promise<void> {
  const now = Date.now();
  try {
    await updateItem({
      Key: { ...keys.apiToken(place.adminId, place.id) },
      UpdateExpression: 'SET revoked_at = :now, #ttl = :ttl REMOVE gsi1pk, gsi1sk',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(revoked_at)',
      ExpressionAttributeNames: { '#ttl': ttlAttribute },
      ExpressionAttributeValues: {
        ':now': new Date(now).toISOString(),
        ':ttl': Math.floor(now / 1000) + apiTokenAfterlifeSeconds,
      },
    });
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
  } finally {
    await invalidateApiToken(place);
  }
}
