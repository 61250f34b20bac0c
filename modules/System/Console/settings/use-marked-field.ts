import { nextTick, watch } from 'vue';

/** Shows the field that an address names: it is scrolled to, and has the focus. @param idOf the ID of its input */
export function useMarkedField(marked: () => string | undefined, idOf: (field: string) => string): void {
  watch(
    marked,
    async (field) => {
      if (field === undefined) return;
      await nextTick();
      const input = document.getElementById(idOf(field));
      input?.scrollIntoView({ block: 'center' });
      input?.focus({ preventScroll: true });
    },
    { immediate: true },
  );
}
