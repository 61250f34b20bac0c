import type { ListDescription } from '#functions/console/description.ts';
import { settleAll } from '#shared/async/settle-all.ts';
import type { ListPage, ListState } from '../../base/list-page.ts';

/** Largest pages that a list answers, by its kind of paging. */
const largestPages = { page: 200, cursor: 100, all: 0 } as const;

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

interface NumberedPage<Row> {
  data: { list: Row[]; total: number };
}

/** All rows of a list with page numbers: the first page, then the others at once. */
export async function readAllRows<Row>(
  read: (page: { pageNo: number; pageSize: number }) => Promise<NumberedPage<Row>>,
): Promise<Row[]> {
  const pageSize = largestPages.page;
  const { list, total } = (await read({ pageNo: 1, pageSize })).data;
  const others = Array.from({ length: Math.max(Math.ceil(total / pageSize) - 1, 0) }, (_, index) =>
    read({ pageNo: index + 2, pageSize }),
  );
  return [...list, ...(await settleAll(others)).flatMap(({ data }) => data.list)];
}
