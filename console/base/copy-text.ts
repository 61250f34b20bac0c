import { ElMessage } from 'element-plus';
import { t } from './locale.ts';

/** Copies a text and says so. Without a secure connection there is no clipboard: the text is shown instead. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    ElMessage.success(t('field.copied'));
  } catch {
    ElMessage.info({ message: t('field.not_copied', { value: text }), duration: 10_000, showClose: true });
  }
}
