import { onBeforeUnmount, onMounted } from 'vue';
import { onBeforeRouteLeave, onBeforeRouteUpdate, type RouteLocationNormalized } from 'vue-router';
import { t } from '../src/locale.ts';
import { ask } from './context.ts';

/**
 * Asks before input is lost by another page, the browser's back, a reload or a closed tab.
 *
 * @param isChanged whether there is input that is not saved
 * @param isKept whether the input outlives a change of the URL, such as that of a tab. @default never
 * @returns asks if needed; resolves with whether the operator leaves. For closing what holds the input
 */
export function useLeaveGuard(
  isChanged: () => boolean,
  isKept: (to: RouteLocationNormalized) => boolean = () => false,
): () => Promise<boolean> {
  const mayLeave = async (): Promise<boolean> => !isChanged() || askToLeave();
  const warn = (event: BeforeUnloadEvent): void => {
    if (isChanged()) event.preventDefault();
  };
  onBeforeRouteLeave(mayLeave);
  onBeforeRouteUpdate((to) => isKept(to) || mayLeave());
  onMounted(() => window.addEventListener('beforeunload', warn));
  onBeforeUnmount(() => window.removeEventListener('beforeunload', warn));
  return mayLeave;
}

const askToLeave = (): Promise<boolean> =>
  ask(t('form.leave_text'), t('form.leave'), {
    confirmButtonText: t('form.discard'),
    cancelButtonText: t('form.stay'),
  });
