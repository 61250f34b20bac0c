import { findUserByMobile } from '#modules/System/public/user-records.ts';
import { toUser, type UserPrincipal } from '#shared/auth/principal.ts';
import { decodeCursor, encodeCursor } from '#shared/db/cursor.ts';
import { indexes } from '#shared/db/keys.ts';
import { readNewest } from '#shared/db/spread-index.ts';

export interface UserQuery {
  /** 1 to 100. */
  limit: number;
  cursor?: string;
  /** A whole mobile; then the list holds its user or nobody. */
  mobile?: string;
}

/**
 * A page of users, newest first.
 *
 * @throws AppError `request.invalid` for a cursor that was not made for this list
 */
export async function listUsers(
  query: UserQuery,
): Promise<{ list: UserPrincipal[]; next_cursor: string | null }> {
  const { limit, cursor, mobile } = query;
  const scope = `users ${JSON.stringify(mobile ?? null)}`;
  const start = decodeCursor(cursor, scope);
  if (mobile !== undefined) {
    const found = await findUserByMobile(mobile);
    return { list: found ? [found.user] : [], next_cursor: null };
  }
  const { items, last } = await readNewest({ index: indexes.usersByCreation, limit, start });
  return { list: items.map(toUser), next_cursor: encodeCursor(last, scope) };
}
