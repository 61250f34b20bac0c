import type { Field, LocalisedText } from '#functions/console/description.ts';
import { readMember } from './field-text.ts';
import { type FormModel, isEmpty, isJson, isSent, isText } from './form-model.ts';

/** Why the service would refuse an input: a text of the locale files and its parameters. */
export interface Problem {
  key: string;
  params?: Record<string, number>;
  /** Words of the field's own; they stand in place of the text. */
  text?: LocalisedText;
}

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
  const { items, fields = [] } = field;
  if (items && Array.isArray(value)) {
    value.forEach((each, index) => {
      checkField(items, each, `${path}.${index}`, problems);
    });
  }
  if (field.type !== 'object' || (!field.required && !hasValue(value))) return;
  for (const member of fields) {
    const given = readMember(value, member.name);
    if (member.required || !isEmpty(given)) checkField(member, given, `${path}.${member.name}`, problems);
  }
}

/** Whether any input of an object has a value. */
const hasValue = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.values(value).some(hasValue)
    : !isEmpty(value) && value !== false;

/** What is wrong with one input by its own rules; undefined if nothing is. */
export function findProblem(field: Field, value: unknown): Problem | undefined {
  if (isEmpty(value)) return refusesEmpty(field) ? { key: 'rule.required' } : undefined;
  if (isJson(field)) return isJsonText(value) ? undefined : { key: 'rule.json' };
  if (typeof value === 'number') return checkNumber(field, value);
  if (Array.isArray(value)) return checkLimits(field, value.length, 'rule.few', 'rule.many');
  return typeof value === 'string' ? checkText(field, value) : undefined;
}

/** Whether a form must mark the field as required. */
export const isDemanded = (field: Field): boolean => field.required && refusesEmpty(field);

/** Whether the service refuses the field if its input has no value. An optional one is sent only if it changed. */
function refusesEmpty(field: Field): boolean {
  if (field.nullable || field.default !== undefined) return false;
  if (field.type === 'boolean' || field.type === 'object') return false;
  if (field.type === 'list' && field.items) return (field.min ?? 0) > 0;
  return !isText(field) || (field.minLength ?? 0) > 0 || !matches(field.pattern, '');
}

function checkNumber(field: Field, value: number): Problem | undefined {
  if (field.type !== 'number' && !Number.isInteger(value)) return { key: 'rule.integer' };
  return checkLimits(field, value, 'rule.min', 'rule.max');
}

function checkLimits({ min, max }: Field, value: number, below: string, above: string): Problem | undefined {
  if (min !== undefined && value < min) return { key: below, params: { min } };
  return max !== undefined && value > max ? { key: above, params: { max } } : undefined;
}

function checkText({ minLength = 0, maxLength, pattern, rule }: Field, value: string): Problem | undefined {
  if (value.length < minLength) return { key: 'rule.short', params: { min: minLength } };
  if (maxLength !== undefined && value.length > maxLength)
    return { key: 'rule.long', params: { max: maxLength } };
  return matches(pattern, value) ? undefined : { key: 'rule.pattern', ...(rule && { text: rule }) };
}

const matches = (pattern: string | undefined, value: string): boolean =>
  pattern === undefined || new RegExp(pattern).test(value);

function isJsonText(value: unknown): boolean {
  try {
    JSON.parse(String(value));
    return true;
  } catch {
    return false;
  }
}
