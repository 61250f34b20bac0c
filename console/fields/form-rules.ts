import type { Field } from '#functions/console/description.ts';
import { type FormModel, isSent } from './form-model.ts';
import { isEmpty, type Problem } from './kind.ts';
import { kindOf } from './kinds.ts';

/**
 * Checks what a form would send. The service checks it too and knows more rules.
 *
 * @param before the model that the form began with: an optional field that did not change is not sent
 * @returns problems by path, as `items.0.name`
 */
export function checkForm(
  fields: readonly Field[],
  model: FormModel,
  before: FormModel,
): Map<string, Problem> {
  const problems = new Map<string, Problem>();
  for (const field of fields) {
    if (isSent(field, model, before)) checkField(field, model[field.name], field.name, problems);
  }
  return problems;
}

function checkField(field: Field, value: unknown, path: string, problems: Map<string, Problem>): void {
  const problem = findProblem(field, value);
  if (problem) problems.set(path, problem);
  for (const part of kindOf(field).model.parts?.(field, value) ?? []) {
    checkField(part.field, part.value, `${path}.${part.step}`, problems);
  }
}

/** What is wrong with one input by its own rules; undefined if nothing is. */
export function findProblem(field: Field, value: unknown): Problem | undefined {
  if (isEmpty(value)) return refusesEmpty(field) ? { key: 'rule.required' } : undefined;
  return kindOf(field).model.findProblem(field, value);
}

/** Whether a form must mark the field as required. */
export const isDemanded = (field: Field): boolean => field.required && refusesEmpty(field);

/** Whether the service refuses the field if its input has no value. An optional one is sent only if it changed. */
const refusesEmpty = (field: Field): boolean =>
  !field.nullable && field.default === undefined && kindOf(field).model.refusesEmpty(field);
