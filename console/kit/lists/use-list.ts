import { type ComputedRef, computed, type Ref, shallowRef, watch } from 'vue';
import { type LocationQueryRaw, useRoute, useRouter } from 'vue-router';
import type { Field, ListDescription } from '#functions/console/description.ts';
import { ApiError, call } from '../../base/api.ts';
import { useLatest } from '../../base/latest.ts';
import { type ListPage, type ListState, readPage, toParameters } from '../../base/list-page.ts';
import { locale } from '../../base/locale.ts';
import { keepSentNames } from '../../fields/names/references.ts';
import { placeErrors } from '../forms/form-errors.ts';
import { findMissing, isBareView, readState, writeState } from './list-state.ts';

/** The state of a list, kept in the URL. `record-filter` and `record-paging` change it. */
export interface RecordList {
  description: ListDescription;
  state: ComputedRef<ListState>;
  page: Ref<ListPage>;
  isLoading: Ref<boolean>;
  failure: Ref<Error | undefined>;
  /** Messages of filters that the service refused, by name. */
  filterErrors: Ref<Map<string, string>>;
  /** Filters without which the list cannot be read. */
  missing: ComputedRef<Field[]>;
  hasPrevious: ComputedRef<boolean>;
  /** Reads the same page again. */
  load(): Promise<void>;
  /** @param isTyped the text is still being typed: the browser's back skips it */
  setFilter(name: string, value: string | undefined, isTyped?: boolean): void;
  clearFilters(): void;
  /** Shows the first page of other filters, such as those of a saved view. */
  open(shown: Pick<ListState, 'filters' | 'pageSize' | 'view'>, isReplaced?: boolean): void;
  setPage(pageNo: number): void;
  setPageSize(pageSize: number): void;
  /** Present in a list with cursors. */
  next(): void;
  previous(): void;
}

/** The cursors of the pages before this one, the first page's empty. The browser keeps them with the URL. */
function readTrail(): string[] {
  const { trail } = Object(history.state);
  return Array.isArray(trail) ? trail.map(String) : [];
}

/** The page of a list that its state names. */
function useListPage({ path, paging, query, item }: ListDescription, state: ComputedRef<ListState>) {
  const page = shallowRef<ListPage>({ rows: [] });
  const failure = shallowRef<Error>();
  const filterErrors = shallowRef(new Map<string, string>());
  const missing = computed(() => findMissing(query, state.value));
  const latest = useLatest();

  function show(data: unknown): void {
    page.value = readPage(data);
    keepSentNames(item, page.value.rows);
    failure.value = undefined;
    filterErrors.value = new Map();
  }
  function refuse(error: Error): void {
    const placed = placeErrors(error instanceof ApiError ? error.errors : [], query);
    filterErrors.value = placed.fields;
    // The field is marked, and the rows stay.
    failure.value = placed.fields.size > 0 && placed.others.length === 0 ? undefined : error;
  }
  async function load(): Promise<void> {
    if (missing.value.length > 0) {
      latest.cancel();
      page.value = { rows: [] };
      return;
    }
    await latest.run((signal) => call('GET', path, toParameters(paging, state.value), signal), show, refuse);
  }
  return { page, failure, filterErrors, missing, isLoading: latest.isLoading, load };
}

/**
 * A list whose filters and place stand in the URL's query.
 *
 * @param description of a `list` route, as from `usePage('system/role').list`
 * @param hasViews whether the page reads the saved view that the URL names, and then the list
 */
export function useList(description: ListDescription, hasViews = false): RecordList {
  const route = useRoute();
  const router = useRouter();
  const state = computed(() => readState(route.query, description.query));
  const shown = useListPage(description, state);
  const { page, load } = shown;

  const go = (changed: Partial<ListState>, isReplaced = false, trail: string[] = []): void => {
    const query: LocationQueryRaw = writeState({ ...state.value, cursor: undefined, ...changed });
    void router[isReplaced ? 'replace' : 'push']({ query, state: { trail } });
  };

  // Another page has other filters: its own list reads them.
  const { path } = route;
  let view: string | undefined;
  watch(
    () => (route.path === path ? JSON.stringify(state.value) : undefined),
    (wanted) => {
      if (wanted === undefined) return;
      const isOpening = hasViews && state.value.view !== view && isBareView(state.value);
      view = state.value.view;
      // Its page sets the filters of a view that was just opened; cleared filters are a change of the view.
      if (!isOpening) void load();
    },
    { immediate: true },
  );
  // The service words some values.
  watch(locale, load);

  return {
    description,
    state,
    ...shown,
    hasPrevious: computed(() => state.value.cursor !== undefined),
    setFilter(name, value, isTyped) {
      const { [name]: _former, ...filters } = state.value.filters;
      go({ filters: value ? { ...filters, [name]: value } : filters, pageNo: 1 }, isTyped);
    },
    clearFilters: () => go({ filters: {}, pageNo: 1, view: undefined }),
    open: ({ filters, pageSize, view }, isReplaced) => go({ filters, pageSize, view, pageNo: 1 }, isReplaced),
    setPage: (pageNo) => go({ pageNo }),
    setPageSize: (pageSize) => go({ pageSize, pageNo: 1 }),
    next() {
      const { nextCursor } = page.value;
      if (nextCursor === undefined) return;
      go({ cursor: nextCursor }, false, [...readTrail(), state.value.cursor ?? '']);
    },
    previous() {
      const trail = readTrail();
      go({ cursor: trail.at(-1) || undefined }, false, trail.slice(0, -1));
    },
  };
}
