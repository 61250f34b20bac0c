import { computed, ref, watch } from 'vue';

/**
 * The address that a picture is shown by: the first of a list, and the next one each time the shown one cannot be loaded.
 * Undefined after the last.
 *
 * @param list addresses, the smallest version first; missing ones are left out
 */
export function usePicture(list: () => readonly (string | null | undefined)[]) {
  const failed = ref(0);
  const sources = computed(() => [...new Set(list().flatMap((each) => each || []))]);
  watch(
    () => sources.value.join(' '),
    () => {
      failed.value = 0;
    },
  );
  const source = computed(() => sources.value[failed.value]);
  function skip(): void {
    failed.value += 1;
  }
  return { source, skip };
}
