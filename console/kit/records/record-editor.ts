import { type Ref, ref, shallowRef } from 'vue';
import { ApiError } from '../../base/api.ts';
import { createModel } from '../../fields/form-model.ts';
import type { Form } from '../forms/use-form.ts';
import { compareModels, type Difference, mergeModels } from './conflict.ts';

/** How a record is read and saved; the rest is the same for all. */
export interface EditorRoutes {
  /** Reads the record as it is stored now; undefined if no route does. */
  read?: (() => Promise<unknown>) | undefined;
  /** @param record as it was read last: its keys and version go with the input */
  save(input: Record<string, unknown>, record: unknown): Promise<unknown>;
}

/** Saves a form; a conflict is shown by `conflict-dialog`. */
export interface RecordEditor {
  isSaving: Ref<boolean>;
  isInConflict: Ref<boolean>;
  differences: Ref<Difference[]>;
  /** Checks and saves. @returns `{ data }` of the service, or undefined if it was not saved; the form says why */
  save(): Promise<{ data: unknown } | undefined>;
  /** Saves what the operator chose in the conflict dialog. */
  saveChosen(): Promise<{ data: unknown } | undefined>;
  /** Puts the stored values into the form. */
  takeStored(): void;
}

/**
 * @param record what the form began with; it is replaced by a newer one after a conflict
 * @param getRoutes of the record that the form shows
 */
export function useRecordEditor(form: Form, record: Ref<unknown>, getRoutes: () => EditorRoutes) {
  const isSaving = ref(false);
  const isInConflict = ref(false);
  const differences = ref<Difference[]>([]);
  const stored = shallowRef<unknown>();

  async function save(): Promise<{ data: unknown } | undefined> {
    if (isSaving.value || !form.check()) return undefined;
    isSaving.value = true;
    try {
      return { data: await getRoutes().save(form.body(), record.value) };
    } catch (error) {
      form.refuse(error);
      if (error instanceof ApiError && error.code === 'version_conflict') await showConflict();
      return undefined;
    } finally {
      isSaving.value = false;
    }
  }

  async function showConflict(): Promise<void> {
    const { read } = getRoutes();
    if (!read) return;
    try {
      stored.value = await read();
    } catch (error) {
      return form.refuse(error);
    }
    const there = createModel(form.fields.value, stored.value);
    differences.value = compareModels(form.fields.value, form.before.value, form.model.value, there);
    isInConflict.value = true;
  }

  /** The form goes on from the stored record. */
  function rebase(): void {
    const merged = mergeModels(createModel(form.fields.value, stored.value), differences.value);
    record.value = stored.value;
    form.begin(stored.value);
    form.model.value = merged;
    isInConflict.value = false;
  }

  return {
    isSaving,
    isInConflict,
    differences,
    save,
    saveChosen() {
      rebase();
      return save();
    },
    takeStored() {
      differences.value = differences.value.map((each) => ({ ...each, choice: 'stored' as const }));
      rebase();
    },
  } satisfies RecordEditor;
}
