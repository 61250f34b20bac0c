import type { Field } from '#functions/console/description.ts';
import { readMember } from './field-text.ts';

/**
 * What the inputs of a form hold, by field: a text (also for JSON), a number, a boolean, a list or an object of these;
 * undefined for an input without a value.
 */
export type FormModel = Record<string, unknown>;

/** Values of a new record: the defaults of the fields. @param record values to begin with, as the service sent them */
export function createModel(fields: readonly Field[], record: unknown = {}): FormModel {
  return Object.fromEntries(
    fields.map((field) => [field.name, toModel(field, readMember(record, field.name) ?? field.default)]),
  );
}

function toModel(field: Field, value: unknown): unknown {
  switch (field.type) {
    case 'object':
      return createModel(field.fields ?? [], value ?? {});
    case 'list': {
      const { items } = field;
      if (!items) return toJsonText(value);
      return Array.isArray(value) ? value.map((each) => toModel(items, each)) : [];
    }
    case 'record':
    case 'any':
      return toJsonText(value);
    case 'boolean':
      return value ?? (field.required && !field.nullable ? false : undefined);
    default:
      return value ?? (isText(field) ? '' : undefined);
  }
}

const toJsonText = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2));

/** A new item of a list. */
export const createItem = (items: Field): unknown => toModel(items, items.default);

const textTypes = ['id', 'text', 'multiline', 'html', 'media', 'secret'];
/** Whether the field's value is a text of any content. */
export const isText = ({ type }: Field): boolean => textTypes.includes(type);
/** Whether the input holds JSON text. */
export const isJson = ({ type, items }: Field): boolean =>
  type === 'any' || type === 'record' || (type === 'list' && !items);

/** Whether two parts of models are the same. */
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/**
 * What to send: required fields, and optional ones that differ from what the form began with. An emptied field becomes
 * null if it may be null, else an empty text or list. An optional input without a value is left out.
 *
 * @param before the model that the form began with; of a new record `createModel(fields)`
 * @throws SyntaxError for an input whose text is not JSON; {@link checkForm} finds it before
 */
export function buildBody(fields: readonly Field[], model: FormModel, before: FormModel): FormModel {
  return Object.fromEntries(
    fields.flatMap((field) => {
      if (!isSent(field, model, before)) return [];
      const value = toInput(field, model[field.name]);
      return value === undefined ? [] : [[field.name, value]];
    }),
  );
}

/** Whether {@link buildBody} sends the field. */
export const isSent = ({ name, required }: Field, model: FormModel, before: FormModel): boolean =>
  required || !isSame(model[name], before[name]);

function toInput(field: Field, value: unknown): unknown {
  if (isEmpty(value)) {
    if (field.nullable) return null;
    if (isText(field)) return '';
    return field.type === 'list' && field.items ? [] : undefined;
  }
  if (isJson(field)) return JSON.parse(String(value));
  if (field.type === 'object') return toObject(field.fields ?? [], value);
  const { items } = field;
  if (field.type === 'list' && items && Array.isArray(value)) {
    return value.map((each) => toInput(items, each)).filter((each) => each !== undefined);
  }
  return value;
}

/** An object is sent as a whole: its optional members are left out if they are empty. */
function toObject(fields: readonly Field[], value: unknown): FormModel {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const member = readMember(value, field.name);
      if (isEmpty(member) && !field.required) return [];
      const input = toInput(field, member);
      return input === undefined ? [] : [[field.name, input]];
    }),
  );
}

/** Whether an input has no value. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
