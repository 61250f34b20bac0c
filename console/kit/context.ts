import { ElMessage, ElMessageBox, type ElMessageBoxOptions } from 'element-plus';
import type { VNode } from 'vue';
import { useRouter } from 'vue-router';
import * as client from '#build/console/api.ts';
import { ApiError, call } from '../src/api.ts';
import { description } from '../src/description.ts';
import { locale, localise, t } from '../src/locale.ts';
import { administrator, can } from '../src/session.ts';
import { dictionaryName, dictionaryOptions, loadDictionaries } from './dictionary.ts';

/** What the console offers to its pages. Call it in a component's `setup`; a `mount(element, context)` gets it. */
export function useConsole() {
  return {
    /** Typed functions of all routes, named as in the OpenAPI document: `client.systemAdminRoleList({ pageNo: 2 })`. */
    client,
    call,
    can,
    locale,
    localise,
    t,
    description,
    administrator,
    router: useRouter(),
    message: { success: (text: string) => void ElMessage.success(text), error: showError },
    confirm,
    /** Values of dictionaries and their names; `load` waits until they are read. */
    dictionary: { options: dictionaryOptions, name: dictionaryName, load: loadDictionaries },
  };
}
export type ConsoleContext = ReturnType<typeof useConsole>;

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

/** Asks with other buttons. @returns whether the operator agreed */
export const ask = (text: string | VNode, title: string, options: ElMessageBoxOptions): Promise<boolean> =>
  ElMessageBox.confirm(text, title, { type: 'warning', ...options }).then(
    () => true,
    () => false,
  );
