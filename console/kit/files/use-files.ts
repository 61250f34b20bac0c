import { computed, type Ref, ref, shallowRef, watch } from 'vue';
import { type FileRecord, systemAdminFileCategoryList, systemAdminFileList } from '#build/console/api.ts';
import { useLatest } from '../../base/latest.ts';
import { localise } from '../../base/locale.ts';
import { can } from '../../base/session.ts';
import { readAllRows } from '../lists/read-all.ts';
import { lastUploaded } from '../uploads/uploads.ts';
import { type Category, keyOfPlace, type Place } from './categories.ts';
import { fileTexts } from './texts.ts';

export type { FileRecord };

export const mayUpload = (): boolean => can('system/upload/file') && can('system/upload/direct');

const pageSize = 40;
/** A search compares a bounded number of files for each answer; so many answers are read before it stops to ask. */
const maxSearchPages = 5;

/** Files that fit, newest first, as far as they are loaded. */
function useFilePages(place: Ref<Place>, keyword: Ref<string>) {
  const files = shallowRef<FileRecord[]>([]);
  const cursor = ref<string | null>(null);
  const failure = shallowRef<Error>();
  const latest = useLatest();

  async function readPages(signal: AbortSignal): Promise<void> {
    const { type, cid } = place.value;
    const filters = {
      ...(cid ? { cid } : type && { $type: type }),
      ...(keyword.value && { keyword: keyword.value }),
    };
    for (let pages = 0, found = 0; pages < maxSearchPages && found < pageSize / 2; pages += 1) {
      const at = cursor.value === null ? {} : { cursor: cursor.value };
      const { data } = await systemAdminFileList({ limit: pageSize, ...filters, ...at }, { signal });
      if (signal.aborted) return;
      const known = new Set(files.value.map(({ id }) => id));
      files.value = [...files.value, ...data.list.filter(({ id }) => !known.has(id))];
      cursor.value = data.next_cursor;
      found += data.list.length;
      if (cursor.value === null) return;
    }
  }

  function load(isFresh: boolean): Promise<void> {
    latest.cancel();
    failure.value = undefined;
    if (isFresh) {
      cursor.value = null;
      files.value = [];
    }
    return latest.run(
      readPages,
      () => {},
      (error) => {
        failure.value = error;
      },
    );
  }
  return { files, cursor, failure, isLoading: latest.isLoading, load };
}

/** Files of a place, and the search in it. */
export function useFiles(place: Ref<Place>, keyword: Ref<string> = ref('')) {
  /** The keyword while it is typed. */
  const typed = ref(keyword.value);
  watch(keyword, (text) => {
    if (typed.value.trim() !== text) typed.value = text;
  });
  watch(typed, (text, _before, onCleanup) => {
    const timer = setTimeout(() => {
      keyword.value = text.trim();
    }, 300);
    onCleanup(() => clearTimeout(timer));
  });
  const { files, cursor, failure, isLoading, load } = useFilePages(place, keyword);

  const belongs = (file: FileRecord): boolean => {
    const { type, cid } = place.value;
    const isHere = cid ? file.cid === cid : !type || file.type === type;
    return isHere && file.name.toLowerCase().includes(keyword.value.toLowerCase());
  };
  watch(lastUploaded, (file) => {
    if (file && belongs(file)) files.value = [file, ...files.value];
  });

  watch([() => keyOfPlace(place.value), keyword], () => load(true), { immediate: true });
  return {
    place,
    keyword,
    typed,
    /** What an empty list says. */
    noFiles: computed(() => {
      const { nothingFound, empty, emptyHint } = fileTexts;
      if (keyword.value) return localise(nothingFound);
      return localise(mayUpload() ? emptyHint : empty);
    }),
    files,
    failure,
    isLoading,
    hasMore: computed(() => cursor.value !== null),
    load,
    /** Shows a changed file; one that does not belong here any more goes. */
    replace: (changed: FileRecord) => {
      const shown = files.value.map((file) => (file.id === changed.id ? changed : file));
      files.value = shown.filter(belongs);
    },
    remove: (ids: ReadonlySet<string>) => {
      files.value = files.value.filter(({ id }) => !ids.has(id));
    },
  };
}
export type FileList = ReturnType<typeof useFiles>;

/** All categories. */
export function useCategories() {
  const categories = shallowRef<Category[]>([]);
  async function load(): Promise<void> {
    if (!can('system/file/category/list')) return;
    categories.value = await readAllRows((page) => systemAdminFileCategoryList(page));
  }
  return { categories, load };
}
