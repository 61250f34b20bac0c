import { type ComputedRef, computed, type Ref, ref, shallowRef } from 'vue';

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
  const isLoading = ref(false);
  const failure = shallowRef<Error>();
  let latest: symbol | undefined;

  async function readFrom(from: string | null): Promise<void> {
    const own = Symbol();
    latest = own;
    isLoading.value = true;
    try {
      const { data } = await read(from === null ? {} : { cursor: from });
      if (latest !== own) return;
      rows.value = from === null ? data.list : [...rows.value, ...data.list];
      cursor.value = data.next_cursor;
      failure.value = undefined;
    } catch (error) {
      if (latest === own) refuse(error, from);
    } finally {
      if (latest === own) isLoading.value = false;
    }
  }

  function refuse(error: unknown, from: string | null): void {
    failure.value = error instanceof Error ? error : new Error(String(error));
    // Rows of an earlier reading may belong to other filters.
    if (from === null) rows.value = [];
    cursor.value = from;
  }

  return {
    ...{ rows, isLoading, failure },
    hasMore: computed(() => cursor.value !== null),
    load: () => readFrom(null),
    loadMore: () => readFrom(cursor.value),
  };
}
