import { type ComputedRef, computed, type Ref, ref } from 'vue';
import type { Action, PageDescription } from '#functions/console/description.ts';
import { callAction } from '../base/call-action.ts';
import { useLatest } from '../base/latest.ts';
import { localise, t } from '../base/locale.ts';
import { confirm, showError } from '../base/messages.ts';
import { forgetDictionaries } from '../fields/names/dictionary.ts';
import { forgetReferences } from '../fields/names/references.ts';
import { recordName } from '../fields/record-name.ts';
import { useConsole } from '../kit/context.ts';
import { hasResult, inputFields, type PageActions, recordKeys } from './generated-actions.ts';

export interface OpenForm {
  action: Action;
  record?: unknown;
  proposed?: Record<string, unknown>;
}

/** Calls the actions of a page: by a form, after a question, or at once. */
export interface ActionRunner {
  /** The form that is shown. */
  form: Ref<OpenForm | undefined>;
  /** The answer that is shown. */
  result: Ref<{ action: Action; data: unknown } | undefined>;
  /** Whether an answer of the service is awaited. */
  isRunning: ComputedRef<boolean>;
  /** @param record a row, or rows for an action that takes `ids` */
  start(action: Action, record?: unknown, proposed?: Record<string, unknown>): Promise<void>;
  /** Calls an action with values, without a form. */
  run(action: Action, record: unknown, values?: Record<string, unknown>): Promise<void>;
  /** After a form was saved. */
  finish(action: Action, data: unknown): void;
}

/** @param reload reads the list again */
export function useActions(
  page: PageDescription,
  sorted: () => PageActions,
  reload: () => unknown,
): ActionRunner {
  const { message } = useConsole();
  const form = ref<OpenForm>();
  const result = ref<{ action: Action; data: unknown }>();
  const running = ref(0);
  const latest = useLatest();

  async function callBusily(action: Action, values: Record<string, unknown>): Promise<unknown> {
    running.value += 1;
    try {
      return await callAction(action, values);
    } finally {
      running.value -= 1;
    }
  }

  function finish(action: Action, data: unknown): void {
    const isRead = action.method === 'GET';
    if (isRead || hasResult(action, page)) result.value = { action, data };
    if (isRead) return;
    message.success(t('table.done', { action: localise(action.title) }));
    forgetDictionaries();
    forgetReferences();
    void reload();
  }

  async function run(action: Action, record: unknown, values: Record<string, unknown> = {}): Promise<void> {
    try {
      finish(action, await callBusily(action, { ...recordKeys(action, record), ...values }));
    } catch (error) {
      showError(error);
      void reload();
    }
  }

  function openForm(action: Action, record: unknown, proposed: OpenForm['proposed']): Promise<void> {
    const { detail } = sorted();
    const isWhole = action.takes !== 'id' || !detail;
    return latest.run(
      async () => (isWhole ? record : callBusily(detail, recordKeys(detail, record))),
      (whole) => {
        // An open form must not become that of another record.
        if (!form.value) form.value = { action, record: whole, ...(proposed && { proposed }) };
      },
      showError,
    );
  }

  async function start(action: Action, record?: unknown, proposed?: OpenForm['proposed']): Promise<void> {
    if (needsForm(action)) return openForm(action, record, proposed);
    if (action.isDangerous && !(await confirm(question(action, record), localise(action.title)))) return;
    await run(action, record);
  }
  return { form, result, isRunning: computed(() => running.value > 0), start, run, finish };
}

/** Whether an action asks for input first. A read without demanded input is called at once. */
export const needsForm = (action: Action): boolean =>
  inputFields(action).some(({ required }) => required || action.method === 'POST');

function question(action: Action, record: unknown): string {
  const name = Array.isArray(record)
    ? t('table.selected', { count: record.length })
    : recordName(record, action.keys);
  return t('table.confirm', { action: localise(action.title), name });
}
