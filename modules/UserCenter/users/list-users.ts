import { findUserByMobile, publicUsers, users } from '#modules/System/public/user-records.ts';
import { partitionOf, toRow } from '#shared/db/entity.ts';
import { type CreationFilter, isCreatedIn, toCreationRange } from '#shared/db/paging/creation-range.ts';
import { readByCursor } from '#shared/db/paging/cursor.ts';
import { readNewest } from '#shared/db/paging/newest-page.ts';

type UserFilter = CreationFilter & { mobile?: string };

/** A page of users, newest first, or the user of a mobile. @throws AppError `request.invalid` for a wrong cursor */
export function listUsers({ limit, cursor, ...filter }: UserFilter & { limit: number; cursor?: string }) {
  const { mobile, created_from = null, created_before = null } = filter;
  const scope = `users ${JSON.stringify([mobile ?? null, created_from, created_before])}`;
  return readByCursor(cursor, scope, async (start) => {
    if (mobile !== undefined) {
      const found = await findUserByMobile(mobile);
      return { rows: found && isCreatedIn(filter, found.user) ? [found.user] : [], last: undefined };
    }
    const index = partitionOf(users.indexes.byCreation, {});
    const { items, last } = await readNewest({ index, limit, start, ...toCreationRange(filter) });
    return { rows: items.map((item) => toRow(publicUsers, item)), last };
  });
}
