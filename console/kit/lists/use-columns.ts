import { type ComputedRef, computed, type Ref, ref, watch } from 'vue';
import type { Field } from '#functions/console/description.ts';
import { administrator } from '../../base/session.ts';
import { type ColumnChoice, chooseColumns, readChoice } from './table-columns.ts';

/**
 * The columns of a table as the operator wants them, remembered in this browser for each administrator.
 *
 * @param name of the page: its path
 * @param rare names of fields that are shown only if the operator wants them
 */
export function useColumns(
  name: string,
  fields: readonly Field[],
  rare: readonly string[] = [],
): { choice: Ref<ColumnChoice>; columns: ComputedRef<Field[]> } {
  const storageKey = `console.columns.${administrator.value?.id}.${name}`;
  const choice = ref(readChoice(localStorage.getItem(storageKey)));
  watch(choice, (chosen) => localStorage.setItem(storageKey, JSON.stringify(chosen)));
  return { choice, columns: computed(() => chooseColumns(fields, choice.value, rare)) };
}
