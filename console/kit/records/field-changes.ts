import type { Field } from '#functions/console/description.ts';
import { isSame } from '../../fields/form-model.ts';
import { isEmpty } from '../../fields/kind.ts';

/** How the values of a field before and after a change are shown. */
export interface FieldChange {
  field: Field;
  /** `text`: compared word by word. `list`: what came and what went. */
  kind: 'pair' | 'text' | 'list';
  before: unknown;
  after: unknown;
  added?: unknown[];
  removed?: unknown[];
}

/** They change with every edit, and say nothing that its line does not. */
const everChanging = ['version', 'updated_at'];
/** Texts of more characters are compared. */
const shortText = 60;

/** The changes in the order of the fields; then those of fields that are not described any more. */
export function describeChanges(
  fields: readonly Field[],
  old: Record<string, unknown>,
  now: Record<string, unknown>,
): FieldChange[] {
  const names = Object.keys(now).filter((name) => !everChanging.includes(name));
  const known = fields.filter(({ name }) => names.includes(name));
  const others = names.filter((name) => !fields.some((field) => field.name === name)).map(toField);
  return [...known, ...others].flatMap((field) => {
    const [before, after] = [old, now].map((values) => values[field.name] ?? field.default);
    return isSame(before, after) && field.type !== 'secret' ? [] : [describe(field, before, after)];
  });
}

const toField = (name: string): Field => ({
  ...{ name, label: { zh_CN: name, en: name }, type: 'any' },
  required: false,
  nullable: true,
});

function describe(field: Field, before: unknown, after: unknown): FieldChange {
  const change = { field, before, after };
  if (isPlainList(before) && isPlainList(after)) {
    const added = after.filter((each) => !before.includes(each));
    const removed = before.filter((each) => !after.includes(each));
    // Another order has neither.
    return added.length + removed.length > 0
      ? { ...change, kind: 'list', added, removed }
      : { ...change, kind: 'pair' };
  }
  return { ...change, kind: isLongText(field, before) || isLongText(field, after) ? 'text' : 'pair' };
}

const isPlainList = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.every((each) => typeof each !== 'object');

const isLongText = ({ type }: Field, value: unknown): boolean =>
  ['html', 'multiline', 'text'].includes(type) &&
  typeof value === 'string' &&
  !isEmpty(value) &&
  (type === 'html' || value.length > shortText);
