import type { ListDescription } from '#functions/console/description.ts';

/** What a list shows; it stands in the URL, so that reload and back work. */
export interface ListState {
  /** Values of filters by name, as in the URL. */
  filters: Record<string, string>;
  /** Counts from 1; of a list with page numbers. */
  pageNo: number;
  pageSize: number;
  /** Cursor of this page; undefined on the first one. */
  cursor?: string;
  /** ID of the saved view that was opened. */
  view?: string;
}

/** The parameters to read the list with. @param pageSize @default that of the state */
export function toParameters(
  paging: ListDescription['paging'],
  { filters, pageNo, pageSize, cursor }: ListState,
): Record<string, string | number> {
  if (paging === 'all') return { ...filters };
  if (paging === 'page') return { ...filters, page_no: pageNo, page_size: pageSize };
  return { ...filters, limit: pageSize, ...(cursor !== undefined && { cursor }) };
}

/** One page of a list of any paging. */
export interface ListPage {
  rows: Record<string, unknown>[];
  /** Number of all records, if the list has page numbers. */
  total?: number;
  /** Cursor of the next page; undefined at the end. */
  nextCursor?: string;
}

/** Reads the answer of a list. */
export function readPage(data: unknown): ListPage {
  if (Array.isArray(data)) return { rows: data };
  const { list = [], total, next_cursor: nextCursor } = Object(data);
  return {
    rows: list,
    ...(typeof total === 'number' && { total }),
    ...(typeof nextCursor === 'string' && { nextCursor }),
  };
}
