import type { ListDescription } from '#functions/console/description.ts';
import type { ListPage, ListState } from './list-state.ts';

/** Largest pages that a list answers, by its kind of paging. */
export const largestPages = { page: 200, cursor: 100, all: 0 } as const;

/**
 * All rows of a list, page by page from its beginning.
 *
 * @param read reads one page of a state
 */
export async function* readAll(
  paging: ListDescription['paging'],
  filters: ListState['filters'],
  read: (state: ListState) => Promise<ListPage>,
): AsyncGenerator<ListPage> {
  let state: ListState = { filters, pageNo: 1, pageSize: largestPages[paging] };
  for (let count = 0; ; ) {
    const page = await read(state);
    yield page;
    count += page.rows.length;
    if (paging === 'cursor' && page.nextCursor !== undefined) state = { ...state, cursor: page.nextCursor };
    else if (paging === 'page' && page.rows.length > 0 && count < (page.total ?? 0)) {
      state = { ...state, pageNo: state.pageNo + 1 };
    } else return;
  }
}
