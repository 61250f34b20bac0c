import { type ComputedRef, computed, type Ref, ref, watch } from 'vue';
import type { Field } from '#functions/console/description.ts';
import { administrator } from '../../base/session.ts';
import { type ColumnChoice, chooseColumns, readChoice } from './table-columns.ts';

/**
 * The columns of a table as the operator wants them, remembered in this browser for each administrator.
 *
 * @param name of the page: its path
 * @param rare names of fields that are shown only if the operator wants them
 * @param viewOf ID of the saved view that is open, which has columns of its own: they are not remembered
 */
export function useColumns(
  name: string,
  fields: readonly Field[],
  rare: readonly string[] = [],
  viewOf: () => string | undefined = () => undefined,
): { choice: Ref<ColumnChoice>; columns: ComputedRef<Field[]> } {
  const storageKey = `console.columns.${administrator.value?.id}.${name}`;
  const read = () => readChoice(localStorage.getItem(storageKey));
  const choice = ref(read());
  watch(choice, (chosen) => {
    if (viewOf() === undefined) localStorage.setItem(storageKey, JSON.stringify(chosen));
  });
  watch(viewOf, (view) => {
    if (view === undefined) choice.value = read();
  });
  return { choice, columns: computed(() => chooseColumns(fields, choice.value, rare)) };
}
