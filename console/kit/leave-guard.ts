import { onBeforeUnmount } from 'vue';
import { onBeforeRouteLeave, onBeforeRouteUpdate, type RouteLocationNormalized } from 'vue-router';
import { t } from '../base/locale.ts';
import { ask } from '../base/messages.ts';

/** Each returns true if the tab holds something that would be lost with it. */
const guards = new Set<() => boolean>();
const holdsAnything = (): boolean => [...guards].some((isHeld) => isHeld());
addEventListener('beforeunload', (event) => {
  if (holdsAnything()) event.preventDefault();
});

/** Asks before a reload, a logout or a closed tab loses something. @returns stops asking */
export function guardTab(isHeld: () => boolean): () => void {
  guards.add(isHeld);
  return () => guards.delete(isHeld);
}

/** Asks if the tab holds something that would be lost. @param action what is done then @returns whether to do it */
export const mayLeaveTab = async (action: string): Promise<boolean> =>
  !holdsAnything() || askToLeave(t('form.leave_tab'), action, action);

/** Opens an address in place of the console, after {@link mayLeaveTab}: the browser does not ask again. */
export function leaveTab(url: string): void {
  guards.clear();
  location.assign(url);
}

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
  const mayLeave = async (): Promise<boolean> =>
    !isChanged() || askToLeave(t('form.leave_text'), t('form.leave'), t('form.discard'));
  onBeforeRouteLeave(mayLeave);
  onBeforeRouteUpdate((to) => isKept(to) || mayLeave());
  onBeforeUnmount(guardTab(isChanged));
  return mayLeave;
}

const askToLeave = (text: string, title: string, action: string): Promise<boolean> =>
  ask(text, title, { confirmButtonText: action, cancelButtonText: t('form.stay') });
