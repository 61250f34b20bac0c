import { findUserByMobile, publicUsers, type User, users } from '#modules/System/public/user-records.ts';
import { partitionOf, toRow } from '#shared/db/entity.ts';
import { type CreationFilter, isCreatedIn, toCreationRange } from '#shared/db/paging/creation-range.ts';
import { readByCursor } from '#shared/db/paging/cursor.ts';
import { readNewest } from '#shared/db/paging/newest-page.ts';
import { mostSearched, type SearchPage, toSearchPage } from '#shared/db/paging/search-page.ts';
import { hasTerms, toSearchTerms } from '#shared/schema/search.ts';

type UserFilter = CreationFilter & { mobile?: string; search?: string };

/**
 * A page of users, newest first, or the user of a mobile. A search reads nicknames and numbers.
 *
 * @throws AppError `request.invalid` for a wrong cursor
 */
export async function listUsers({
  limit,
  cursor,
  ...filter
}: UserFilter & { limit: number; cursor?: string }): Promise<SearchPage<User>> {
  const { mobile, created_from = null, created_before = null } = filter;
  const terms = toSearchTerms(filter.search ?? '');
  const isSearch = terms.length > 0;
  const matches = ({ nickname, sn }: Pick<User, 'nickname' | 'sn'>) => hasTerms(`${nickname} ${sn}`, terms);
  const limits = [mobile ?? null, created_from, created_before, ...(isSearch ? [terms] : [])];
  const page = await readByCursor(cursor, `users ${JSON.stringify(limits)}`, async (start) => {
    if (mobile !== undefined) {
      const user = (await findUserByMobile(mobile))?.user;
      return { rows: user && isCreatedIn(filter, user) && matches(user) ? [user] : [], last: undefined };
    }
    const { items, last } = await readNewest({
      ...{ index: partitionOf(users.indexes.byCreation, {}), limit, start, ...toCreationRange(filter) },
      // The first page of a spread list reads the first partition twice.
      ...(isSearch && {
        evaluated: mostSearched / 2,
        matches: (item) => matches(toRow(publicUsers, item)),
      }),
    });
    return { rows: items.map((item) => toRow(publicUsers, item)), last };
  });
  return toSearchPage(page, limit, isSearch);
}
