import { ElMessage, ElMessageBox, type ElMessageBoxOptions } from 'element-plus';
import type { VNode } from 'vue';
import { ApiError } from './api.ts';

/** Shows a refusal with what is wrong with the input. */
export function showError(error: unknown): void {
  const places = error instanceof ApiError ? error.errors.slice(0, 3).map(({ message }) => message) : [];
  ElMessage.error({ message: [Object(error).message, ...places].join(' · '), grouping: true });
}

/**
 * Asks before an action.
 *
 * @param isDangerous whether it takes something away, or cannot be undone
 * @returns whether the operator agreed
 */
export const confirm = (text: string | VNode, action: string, isDangerous = true): Promise<boolean> =>
  ask(text, action, {
    confirmButtonText: action,
    ...(isDangerous && { confirmButtonClass: 'el-button--danger' }),
  });

/**
 * Asks with other buttons. The router changes the hash while it asks whether to leave: that is no answer.
 *
 * @returns whether the operator agreed
 */
export const ask = (text: string | VNode, title: string, options: ElMessageBoxOptions): Promise<boolean> =>
  ElMessageBox.confirm(text, title, { type: 'warning', closeOnHashChange: false, ...options }).then(
    () => true,
    () => false,
  );
