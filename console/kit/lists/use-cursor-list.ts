import { type ComputedRef, computed, type Ref, ref, shallowRef } from 'vue';
import { useLatest } from '../../base/latest.ts';

/** A list that grows at its end, page by page. `cursor-list` shows its states. */
export interface CursorList<Row> {
  rows: Ref<Row[]>;
  isLoading: Ref<boolean>;
  /** Why a page could not be read. */
  failure: Ref<Error | undefined>;
  hasMore: ComputedRef<boolean>;
  /** Reads the first page again. */
  load(): Promise<void>;
  /** Reads the next page; after a failure the page that failed. */
  loadMore(): Promise<void>;
}

/**
 * Rows of a route with a cursor, as far as they are loaded. An answer that comes after a newer request is dropped.
 *
 * @param read reads a page: `(place) => client.systemAdminAuditMine({ limit: 20, ...place })`
 */
export function useCursorList<Row>(
  read: (place: { cursor?: string }) => Promise<{ data: { list: Row[]; next_cursor: string | null } }>,
): CursorList<Row> {
  const rows = shallowRef<Row[]>([]);
  const cursor = ref<string | null>(null);
  const failure = shallowRef<Error>();
  const latest = useLatest();

  const readFrom = (from: string | null): Promise<void> =>
    latest.run(
      () => read(from === null ? {} : { cursor: from }),
      ({ data }) => {
        rows.value = from === null ? data.list : [...rows.value, ...data.list];
        cursor.value = data.next_cursor;
        failure.value = undefined;
      },
      (error) => {
        failure.value = error;
        // Rows of an earlier reading may belong to other filters.
        if (from === null) rows.value = [];
        cursor.value = from;
      },
    );

  return {
    rows,
    failure,
    isLoading: latest.isLoading,
    hasMore: computed(() => cursor.value !== null),
    load: () => readFrom(null),
    loadMore: () => readFrom(cursor.value),
  };
}
