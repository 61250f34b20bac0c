import { findUserByMobile, publicUsers, users } from '#modules/System/public/user-records.ts';
import { partitionOf, toRow } from '#shared/db/entity.ts';
import { readByCursor } from '#shared/db/paging/cursor.ts';
import { readNewest } from '#shared/db/paging/newest-page.ts';

/** A page of users, newest first, or the user of a mobile. @throws AppError `request.invalid` for a wrong cursor */
export function listUsers(query: { limit: number; cursor?: string; mobile?: string }) {
  const { limit, cursor, mobile } = query;
  return readByCursor(cursor, `users ${JSON.stringify(mobile ?? null)}`, async (start) => {
    if (mobile !== undefined) {
      const found = await findUserByMobile(mobile);
      return { rows: found ? [found.user] : [], last: undefined };
    }
    const index = partitionOf(users.indexes.byCreation, {});
    const { items, last } = await readNewest({ index, limit, start });
    return { rows: items.map((item) => toRow(publicUsers, item)), last };
  });
}
