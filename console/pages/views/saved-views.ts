import type { systemAdminViewList } from '#build/console/api.ts';
import type { Field } from '#functions/console/description.ts';
import { call } from '../../base/api.ts';
import type { ListState } from '../../base/list-page.ts';
import { readState, writeState } from '../../kit/lists/list-state.ts';
import { type ColumnChoice, noChoice } from '../../kit/lists/table-columns.ts';

/** A view of a page, as the service stores it. */
export type SavedView = Awaited<ReturnType<typeof systemAdminViewList>>['data'][number];
/** What a view keeps. */
export type Kept = Pick<SavedView, 'query' | 'columns'>;
type Shown = Pick<ListState, 'filters' | 'pageSize'>;

const base = '/adminapi/system/view';

/** What the page shows now, as a view keeps it. Filters are sorted, so that equal ones are one text. */
export function toKept({ filters, pageSize }: Shown, choice: ColumnChoice): Kept {
  const query = new URLSearchParams(writeState({ filters, pageSize, pageNo: 1 }));
  query.sort();
  const [shown, hidden, order] = [[...choice.shown], [...choice.hidden], [...choice.order]];
  const isUsual = [shown, hidden, order].every(({ length }) => length === 0);
  return { query: query.toString(), columns: isUsual ? null : { shown, hidden, order } };
}

/** The filters of a view. Those that the list has no more are left out. */
export function readKept({ query }: Pick<Kept, 'query'>, fields: readonly Field[]): Shown {
  const { filters, pageSize } = readState(Object.fromEntries(new URLSearchParams(query)), fields);
  return { filters, pageSize };
}

/** The columns of a view. */
export const readColumns = ({ columns }: Pick<Kept, 'columns'>): ColumnChoice => columns ?? noChoice;

/** The calls of the service for a page. */
export const viewsOf = (page: string) => ({
  list: (): Promise<SavedView[]> => call('GET', `${base}/list`, { page }),
  add: (name: string, kept: Kept): Promise<SavedView> => call('POST', `${base}/add`, { page, name, ...kept }),
  update: ({ id, version }: SavedView, kept: Kept): Promise<SavedView> =>
    call('POST', `${base}/edit`, { page, id, version, ...kept }),
  remove: ({ id }: SavedView): Promise<null> => call('POST', `${base}/delete`, { page, id }),
});
