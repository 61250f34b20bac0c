import { ElMessage } from 'element-plus';
import { computed, onMounted, type Ref, ref, shallowRef, watch } from 'vue';
import type { PageDescription } from '#functions/console/description.ts';
import { localise } from '../../base/locale.ts';
import { confirm, showError } from '../../base/messages.ts';
import { isBareView } from '../../kit/lists/list-state.ts';
import type { ColumnChoice } from '../../kit/lists/table-columns.ts';
import type { RecordList } from '../../kit/lists/use-list.ts';
import { keepLastView } from './last-view.ts';
import { readColumns, readKept, type SavedView, toKept, viewsOf } from './saved-views.ts';
import { texts } from './texts.ts';

/**
 * The saved views of a page, read when they are asked for, or when the address names one.
 *
 * @param choice the columns, which a view brings
 */
export function useViews(page: PageDescription, list: RecordList, choice: Ref<ColumnChoice>) {
  const calls = viewsOf(page.path);
  const views = shallowRef<readonly SavedView[]>();
  const isReading = ref(false);
  const opened = computed(() => list.state.value.view);
  const current = computed(() => views.value?.find(({ id }) => id === opened.value));
  const kept = computed(() => toKept(list.state.value, choice.value));
  const isChanged = computed(
    () => current.value && JSON.stringify(kept.value) !== JSON.stringify(keptOf(current.value)),
  );
  /** As the page would keep it: a filter that the list has no more is no change. */
  const keptOf = (view: SavedView) => toKept(readKept(view, page.list.query), readColumns(view));

  async function read(): Promise<void> {
    if (isReading.value) return;
    isReading.value = true;
    await calls.list().then((read) => {
      views.value = read;
    }, showError);
    isReading.value = false;
  }

  function open(view: SavedView | undefined, isReplaced = false): void {
    const shown = view
      ? readKept(view, page.list.query)
      : { filters: {}, pageSize: list.state.value.pageSize };
    list.open({ ...shown, view: view?.id }, isReplaced);
    // The columns of another one come with its address: until then they would count as the operator's own.
    if (view && view.id === opened.value) choice.value = readColumns(view);
  }

  /** Shows the view that the address names. Filters of the address stay: it may be a view with a change. */
  async function follow(): Promise<void> {
    if (opened.value === undefined) return;
    if (!current.value) await read();
    if (!views.value) {
      if (isBareView(list.state.value)) await list.load();
      return;
    }
    if (!current.value) {
      ElMessage.warning(localise(texts.gone));
      list.open({ ...list.state.value, view: undefined }, true);
      return;
    }
    choice.value = readColumns(current.value);
    if (!isBareView(list.state.value)) return;
    if (current.value.query === '') await list.load();
    else open(current.value, true);
  }

  useLastView(page, list);
  onMounted(follow);
  // The browser's back and a link within the console name another one.
  watch(opened, follow);
  return { calls, list, views, kept, current, isReading, isChanged, read, open };
}

/** Remembers which view the page shows. */
function useLastView({ path }: PageDescription, list: RecordList): void {
  const { pathname } = location;
  watch(
    () => list.state.value.view,
    (view, former) => {
      // On the way to another page the query is not this list's any more.
      if (view !== former && location.pathname === pathname) keepLastView(path, view);
    },
    { immediate: true },
  );
}

/** Saves, updates and deletes views, here and on the service. */
export function useViewChanges({ calls, list, views, kept, open }: ReturnType<typeof useViews>) {
  /** @throws ApiError */
  async function save(name: string): Promise<void> {
    const view = await calls.add(name, kept.value);
    views.value = [...(views.value ?? []), view];
    open(view, true);
    ElMessage.success(localise(texts.saved, view));
  }

  async function update(view: SavedView): Promise<void> {
    if (!(await confirm(localise(texts.confirm_update, view), localise(texts.update, view), false))) return;
    await calls.update(view, kept.value).then((now) => {
      views.value = views.value?.map((each) => (each.id === now.id ? now : each));
      ElMessage.success(localise(texts.saved, now));
    }, showError);
  }

  async function remove(view: SavedView): Promise<void> {
    if (!(await confirm(localise(texts.confirm_remove, view), localise(texts.remove, view)))) return;
    await calls.remove(view).then(() => {
      views.value = views.value?.filter(({ id }) => id !== view.id);
      list.open({ ...list.state.value, view: undefined }, true);
      ElMessage.success(localise(texts.removed, view));
    }, showError);
  }
  return { save, update, remove };
}
