import type { Action, Field, PageDescription } from '#functions/console/description.ts';
import { readFilter } from '../fields/filter-value.ts';
import { kindOf } from '../fields/kinds.ts';
import { inputFields } from '../kit/records/action-input.ts';

export { inputFields, recordKeys } from '../kit/records/action-input.ts';

/** What a page offers, by its place on the page. */
export interface PageActions {
  /** Makes a record: a form from the toolbar. */
  add?: Action;
  /** Reads all of a record. */
  detail?: Action;
  /** Changes a record: a form in its row. */
  edit?: Action;
  /** All others with a record, the dangerous ones last. */
  row: Action[];
  /** For the chosen rows. */
  bulk: Action[];
  /** Adds the lines of a file. */
  import?: Action;
  /** Without a record. */
  toolbar: Action[];
}

/** Sorts the actions that the operator may call. @param can takes a path without `/adminapi/` */
export function sortActions({ actions }: PageDescription, can: (path: string) => boolean): PageActions {
  const allowed = actions.filter(
    (action) => can(action.path.replace('/adminapi/', '')) && !isHistory(action),
  );
  const named = (name: string, takes: Action['takes']) =>
    allowed.find((action) => action.name === name && action.takes === takes);
  const sorted = {
    add: named('add', 'none'),
    detail: named('detail', 'id'),
    edit: named('edit', 'id'),
    import: allowed.find(isImport),
  };
  const others = allowed.filter((action) => !Object.values(sorted).includes(action));
  const of = (takes: Action['takes']) => others.filter((action) => action.takes === takes);
  return {
    ...sorted,
    row: of('id').toSorted((a, b) => Number(a.isDangerous) - Number(b.isDangerous)),
    bulk: of('ids'),
    toolbar: of('none'),
  };
}

/** An import of lines, as `importRoute` of the platform makes it. */
const isImport = ({ name, body }: Action): boolean =>
  name === 'import' && ['key', 'check', 'lines'].every((each) => body.some((field) => field.name === each));

/** The detail of a record shows its history. */
const isHistory = ({ name, method }: Action): boolean => name === 'revisions' && method === 'GET';

/** Leaves out actions of the toolbar and of rows that a page does not offer. */
export const offerActions = (actions: PageActions, isOffered: (action: Action) => boolean): PageActions => ({
  ...actions,
  edit: actions.edit && isOffered(actions.edit) ? actions.edit : undefined,
  row: actions.row.filter(isOffered),
  toolbar: actions.toolbar.filter(isOffered),
});

/**
 * The only field of an action that sets a state, as `status`: its values are shown instead of a form. Undefined for all
 * other actions.
 */
export function choiceField(action: Action): Field | undefined {
  const [field, ...others] = inputFields(action);
  if (action.takes !== 'id' || !field?.required || others.length > 0) return undefined;
  const choices = kindOf(field).choices?.(field);
  return choices && choices.length <= 5 ? field : undefined;
}

/** Whether an action of a row can be called for many rows without a form. */
export const isForEach = (action: Action): boolean =>
  action.method === 'POST' &&
  action.takes === 'id' &&
  (inputFields(action).length === 0 || choiceField(action) !== undefined);

/** Values of a new record from the filters of its list, as the fields of the action take them. */
export function proposeValues(action: Action, filters: Record<string, string>): Record<string, unknown> {
  const values = inputFields(action).flatMap((field) => {
    const text = filters[field.name];
    const value = readFilter(field, text);
    // A filter by one value proposes no list.
    return value === undefined || Array.isArray(value) ? [] : [[field.name, value] as const];
  });
  return Object.fromEntries(values);
}

/** The fields that identify the records of a page; empty if its rows have none. */
export const pageKeys = ({ actions, list }: PageDescription): string[] =>
  actions.find(({ takes }) => takes === 'id')?.keys ??
  (list.item.some(({ name }) => name === 'id') ? ['id'] : []);

/** Whether an answer holds more than the record that the page shows: a new token, or counts. */
export function hasResult(action: Action, { list, actions }: PageDescription): boolean {
  const known = [list.item, actions.find(({ name }) => name === 'detail')?.data ?? []].flat();
  return action.data.some(({ name }) => !known.some((field) => field.name === name));
}

/** Another page that lists what belongs to a record. */
export interface ChildPage {
  page: PageDescription;
  /** Filter of that page → field of the record. */
  filters: Record<string, string>;
}

/**
 * The pages that a row opens: those that demand its keys, those below its folder that can be filtered by them, and those
 * with a filter that refers to it.
 */
export function findChildren(page: PageDescription, pages: readonly PageDescription[]): ChildPage[] {
  const keys = pageKeys(page);
  return pages.flatMap((child) => {
    if (child === page) return [];
    const filters = Object.fromEntries(
      child.list.query.flatMap((field) => {
        const key = findKey(field, page, child, keys);
        return key === undefined ? [] : [[field.name, key]];
      }),
    );
    const isOpen = child.list.query.some(({ name, required }) => required && !(name in filters));
    return Object.keys(filters).length > 0 && !isOpen ? [{ page: child, filters }] : [];
  });
}

/** The key of a record that a filter takes. */
function findKey(filter: Field, page: PageDescription, child: PageDescription, keys: readonly string[]) {
  if (filter.refersTo === page.path && keys.length === 1) return keys[0];
  const isBelow = child.path.startsWith(`${page.path}/`);
  if (isBelow && keys.includes('id') && filter.name === `${page.path.split('/').at(-1)}_id`) return 'id';
  return (filter.required || isBelow) && filter.name !== 'id'
    ? keys.find((key) => key === filter.name)
    : undefined;
}
