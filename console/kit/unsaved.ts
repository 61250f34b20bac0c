import { onBeforeUnmount } from 'vue';
import { useRouter } from 'vue-router';

/**
 * Asks before the operator leaves the page with changes that are not saved. Call it in a component's `setup`.
 *
 * @param isDirty whether there are such changes
 * @param ask shows the question; resolves to whether the operator leaves
 */
export function useUnsavedGuard(isDirty: () => boolean, ask: () => Promise<boolean>): void {
  // All pages share one route, so a guard of the route itself would not see a change of the page.
  const remove = useRouter().beforeEach((to, from) => to.path === from.path || !isDirty() || ask());
  const warn = (event: BeforeUnloadEvent) => {
    if (isDirty()) event.preventDefault();
  };
  addEventListener('beforeunload', warn);
  onBeforeUnmount(() => {
    remove();
    removeEventListener('beforeunload', warn);
  });
}
