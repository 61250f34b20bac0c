import { type ComputedRef, computed, nextTick, type Ref, ref, watch } from 'vue';
import type { Field } from '#functions/console/description.ts';
import { ApiError } from '../../base/api.ts';
import { localise, t } from '../../base/locale.ts';
import { buildBody, createModel, type FormModel, isSame } from '../../fields/form-model.ts';
import { checkForm } from '../../fields/form-rules.ts';
import type { Problem } from '../../fields/kind.ts';
import { placeErrors } from './form-errors.ts';

/** The state of a form; `record-form` shows it. */
export interface Form {
  fields: ComputedRef<readonly Field[]>;
  model: Ref<FormModel>;
  /** What the form began with. */
  before: Ref<FormModel>;
  /** Messages of inputs by path. */
  errors: Ref<Map<string, string>>;
  /** Why the form was refused. */
  alert: Ref<string | undefined>;
  /** Errors of fields that the form does not show. */
  others: Ref<readonly { path: string; message: string }[]>;
  /** Whether leaving the form loses input. */
  isChanged: ComputedRef<boolean>;
  /**
   * Starts with a record as it was read, or without one.
   *
   * @param proposed values that count as input, such as those of the current filters
   */
  begin(record?: unknown, proposed?: Record<string, unknown>): void;
  /** Checks the input and shows what is wrong. @returns whether the form may be sent */
  check(): boolean;
  /** What to send. */
  body(): FormModel;
  /** Shows why the service refused the form. */
  refuse(error: unknown): void;
}

/** A form of the fields that a route takes. @param getFields those to show */
export function useForm(getFields: () => readonly Field[]): Form {
  const fields = computed(getFields);
  const model = ref<FormModel>({});
  const before = ref<FormModel>({});
  const begun = ref<FormModel>({});
  const errors = ref(new Map<string, string>());
  const alert = ref<string>();
  const others = ref<readonly { path: string; message: string }[]>([]);
  /** What the inputs held when their messages were shown. */
  let refused = new Map<string, string>();

  const show = (found: Map<string, string>, text?: string, rest: typeof others.value = []): void => {
    errors.value = found;
    alert.value = text;
    others.value = rest;
    refused = new Map([...found.keys()].map((path) => [path, readText(model.value, path)]));
    if (found.size > 0) nextTick(focusFirstError);
  };

  /** Messages go when their inputs are right. What the service has refused may be right as soon as it changes. */
  function review(): void {
    if (errors.value.size === 0) return;
    const problems = checkForm(fields.value, model.value, before.value);
    const left = [...errors.value].flatMap(([path, text]) => {
      if (refused.get(path) === readText(model.value, path)) return [[path, text] as const];
      const problem = problems.get(path);
      return problem ? [[path, describeProblem(problem)] as const] : [];
    });
    errors.value = new Map(left);
    if (left.length === 0 && others.value.length === 0) alert.value = undefined;
  }
  watch(model, review, { deep: true });

  return {
    fields,
    model,
    before,
    errors,
    alert,
    others,
    isChanged: computed(() => !isSame(model.value, begun.value)),
    begin(record, proposed = {}) {
      before.value = createModel(fields.value, record);
      const start = { ...Object(record), ...proposed };
      model.value = createModel(fields.value, start);
      begun.value = createModel(fields.value, start);
      show(new Map());
    },
    check() {
      const problems = checkForm(fields.value, model.value, before.value);
      show(new Map([...problems].map(([path, problem]) => [path, describeProblem(problem)])));
      return problems.size === 0;
    },
    body: () => buildBody(fields.value, model.value, before.value),
    refuse(error) {
      const placed = placeErrors(error instanceof ApiError ? error.errors : [], fields.value);
      show(placed.fields, describeError(error), placed.others);
    },
  };
}

/** A refusal as text. */
export const describeError = (error: unknown): string => String(Object(error).message);

/** A problem in the operator's words. */
export const describeProblem = ({ key, params = {}, text }: Problem): string =>
  text ? localise(text) : t(key, params);

/** The value of an input as text, to compare it. @param path as `items.0.name` */
const readText = (model: FormModel, path: string): string =>
  JSON.stringify(path.split('.').reduce((part: unknown, step) => Object(part)[step], model) ?? null);

function focusFirstError(): void {
  const item = document.querySelector('.el-form-item.is-error');
  item?.scrollIntoView({ block: 'nearest' });
  const input = item?.querySelector('input, textarea, button, [tabindex="0"]');
  if (input instanceof HTMLElement) input.focus();
}
