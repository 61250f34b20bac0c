import type { Field } from '#functions/console/description.ts';
import type { ListState } from '../../base/list-page.ts';

export const pageSizes = [20, 50, 100];

type UrlQuery = Readonly<Record<string, string | null | (string | null)[] | undefined>>;

/** Reads the state from a URL's query. What does not fit is left out. */
export function readState(query: UrlQuery, fields: readonly Field[]): ListState {
  const read = (name: string): string => [query[name]].flat()[0] ?? '';
  const named = fields.map(({ name }) => [name, read(name)] as const);
  const [cursor, view] = [read('cursor'), read('saved_view')];
  return {
    filters: Object.fromEntries(named.filter(([, value]) => value !== '')),
    pageNo: readNumber(read('page_no'), 1),
    pageSize: pageSizes.find((size) => String(size) === read('page_size')) ?? 20,
    ...(cursor !== '' && { cursor }),
    ...(view !== '' && { view }),
  };
}

function readNumber(text: string, otherwise: number): number {
  const value = Number(text);
  return Number.isSafeInteger(value) && value >= 1 ? value : otherwise;
}

/** The query of a URL that {@link readState} reads; usual values are left out. */
export function writeState({ filters, pageNo, pageSize, cursor, view }: ListState): Record<string, string> {
  return {
    ...Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '')),
    ...(pageNo > 1 && { page_no: String(pageNo) }),
    ...(pageSize !== 20 && { page_size: String(pageSize) }),
    ...(cursor !== undefined && { cursor }),
    ...(view !== undefined && { saved_view: view }),
  };
}

/** The filters that must be set before the list can be read. */
export const findMissing = (fields: readonly Field[], { filters }: Pick<ListState, 'filters'>): Field[] =>
  fields.filter(({ name, required, default: usual }) => required && usual === undefined && !filters[name]);

/** Whether a view is named, but no filter: those of the view are not read yet, or were cleared. */
export const isBareView = ({ view, filters }: ListState): boolean =>
  view !== undefined && Object.keys(filters).length === 0;
