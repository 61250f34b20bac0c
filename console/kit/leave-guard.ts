import { ElMessageBox } from 'element-plus';
import { onBeforeUnmount, onMounted } from 'vue';
import { onBeforeRouteLeave, onBeforeRouteUpdate } from 'vue-router';
import { t } from '../src/locale.ts';

/**
 * Asks before input is lost by another page, the browser's back, a reload or a closed tab.
 *
 * @param isChanged whether there is input that is not saved
 * @returns asks if needed; resolves with whether the operator leaves. For closing what holds the input
 */
export function useLeaveGuard(isChanged: () => boolean): () => Promise<boolean> {
  const mayLeave = async (): Promise<boolean> => !isChanged() || ask();
  const warn = (event: BeforeUnloadEvent): void => {
    if (isChanged()) event.preventDefault();
  };
  onBeforeRouteLeave(mayLeave);
  onBeforeRouteUpdate(mayLeave);
  onMounted(() => window.addEventListener('beforeunload', warn));
  onBeforeUnmount(() => window.removeEventListener('beforeunload', warn));
  return mayLeave;
}

const ask = (): Promise<boolean> =>
  ElMessageBox.confirm(t('form.leave_text'), t('form.leave'), {
    type: 'warning',
    confirmButtonText: t('form.discard'),
    cancelButtonText: t('form.stay'),
  }).then(
    () => true,
    () => false,
  );
