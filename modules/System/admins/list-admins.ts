import { partitionOf, queryRows } from '#shared/db/entity.ts';
import { readByCursor } from '#shared/db/paging/cursor.ts';
import { mostSearched, type SearchPage, toSearchPage } from '#shared/db/paging/search-page.ts';
import { hasTerms, toSearchTerms } from '#shared/schema/search.ts';
import { type Admin, admins } from './admin-record.ts';

/**
 * A page of administrators, newest first, or those whose account begins with `account`, by account. A search reads
 * accounts and names.
 *
 * @throws AppError `request.invalid` for a wrong cursor
 */
export async function listAdmins({
  limit,
  cursor,
  account,
  search = '',
}: {
  limit: number;
  cursor?: string;
  account?: string;
  search?: string;
}): Promise<SearchPage<Admin>> {
  const terms = toSearchTerms(search);
  const isSearch = terms.length > 0;
  const isNewestFirst = account === undefined;
  const { byCreation, byAccount } = admins.indexes;
  const index = isNewestFirst ? byCreation : byAccount;
  const { name, pk } = partitionOf(index, {});
  const scope = `admins ${JSON.stringify(isSearch ? [account ?? null, terms] : (account ?? null))}`;
  const page = await readByCursor(cursor, scope, async (start) => {
    const most = isSearch ? mostSearched : limit;
    const query = { name, pk, limit: most, start, isNewestFirst, beginsWith: account || undefined };
    const { rows: found, last } = await queryRows(admins, query);
    const rows = found.filter((admin) => hasTerms(`${admin.account} ${admin.name}`, terms));
    const end = rows.length > limit ? rows[limit - 1] : undefined;
    const position = end && { ...admins.key(end), [`${name}pk`]: pk, [`${name}sk`]: index.sk(end) };
    return { rows: rows.slice(0, limit), last: position ?? last };
  });
  return toSearchPage(page, limit, isSearch);
}
