import { ElMessage } from 'element-plus';
import { ref } from 'vue';
import type { Action, PageDescription } from '#functions/console/description.ts';
import { callAction } from '../../base/call-action.ts';
import { localise, t } from '../../base/locale.ts';
import { confirm, showError } from '../../base/messages.ts';
import { can } from '../../base/session.ts';
import { createModel, isSame } from '../../fields/form-model.ts';
import { useForm } from '../forms/use-form.ts';
import { inputFields, recordKeys } from './action-input.ts';
import { useRecordEditor } from './record-editor.ts';

type Row = Record<string, unknown>;

/**
 * Puts an earlier version of a record back: an ordinary edit of the version that is shown.
 *
 * @param getRecord as it is shown; undefined if it does not exist any more
 * @param done called after the edit
 */
export function useRestore(page: PageDescription, getRecord: () => unknown, done: () => void) {
  const find = (name: string): Action | undefined =>
    page.actions.find((each) => each.name === name && can(each.path.replace('/adminapi/', '')));
  const [edit, detail] = [find('edit'), find('detail')];
  const form = useForm(() => (edit ? inputFields(edit) : []));
  const current = ref<unknown>();
  const editor = useRecordEditor(form, current, () => ({
    read: detail && (() => callAction(detail, recordKeys(detail, current.value))),
    save: async (input, from) => edit && callAction(edit, { ...recordKeys(edit, from), ...input }),
  }));

  async function finish(saving: ReturnType<typeof editor.save>): Promise<void> {
    if (await saving) {
      ElMessage.success(t('history.restored'));
      done();
    } else if (!editor.isInConflict.value) {
      const others = form.others.value.map(({ message }) => message);
      showError(
        new Error([form.alert.value ?? [], ...form.errors.value.values(), ...others].flat().join(' · ')),
      );
    }
  }
  return {
    editor,
    canRestore: (): boolean => edit !== undefined && getRecord() !== undefined,
    saveChosen: () => finish(editor.saveChosen()),
    /** Asks, and puts the values back. */
    async restore(old: Row): Promise<void> {
      current.value = getRecord();
      form.begin(current.value);
      form.model.value = createModel(form.fields.value, { ...Object(current.value), ...old });
      const changed = form.fields.value.filter(
        ({ name }) => !isSame(form.model.value[name], form.before.value[name]),
      );
      if (changed.length === 0) return void ElMessage.info(t('history.restore_none'));
      const fields = changed.map(({ label }) => localise(label)).join(t('history.separator'));
      const isWanted = await confirm(t('history.restore_ask', { fields }), t('history.restore'), false);
      if (isWanted) await finish(editor.save());
    },
  };
}
