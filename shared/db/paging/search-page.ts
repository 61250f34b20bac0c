import type { CursorPage } from './cursor.ts';

/** Most rows that a search reads in one request. */
export const mostSearched = 1000;

/** A page of a search. */
export interface SearchPage<Row> extends CursorPage<Row> {
  /** The page ended because enough rows were read, not because it was full: there may be more. */
  partial?: true;
}

/** Says `partial` of a page of a search that ended before it was full and before the end of the list. */
export function toSearchPage<Row>(page: CursorPage<Row>, limit: number, isSearch: boolean): SearchPage<Row> {
  const isPartial = isSearch && page.next_cursor !== null && page.list.length < limit;
  return isPartial ? { ...page, partial: true } : page;
}
