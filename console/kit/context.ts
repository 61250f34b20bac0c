import { ElMessage } from 'element-plus';
import { useRouter } from 'vue-router';
import * as client from '#build/console/api.ts';
import { call } from '../base/api.ts';
import { description } from '../base/description.ts';
import { locale, localise, t } from '../base/locale.ts';
import { confirm, showError } from '../base/messages.ts';
import { administrator, can } from '../base/session.ts';
import { dictionaryName, dictionaryOptions, loadDictionaries } from '../fields/names/dictionary.ts';

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
