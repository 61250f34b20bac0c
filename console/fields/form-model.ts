import type { Field } from '#functions/console/description.ts';
import { beginAll, sendOf } from './kind.ts';
import { kindOf } from './kinds.ts';

/**
 * What the inputs of a form hold, by field: a text (also for JSON), a number, a boolean, a list or an object of these;
 * undefined for an input without a value.
 */
export type FormModel = Record<string, unknown>;

/** Values of a new record: the defaults of the fields. @param record values to begin with, as the service sent them */
export const createModel = (fields: readonly Field[], record: unknown = {}): FormModel =>
  beginAll(fields, record, kindOf);

/** A new item of a list. */
export const createItem = (items: Field): unknown => kindOf(items).model.begin(items, items.default, kindOf);

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
      const value = sendOf(field, model[field.name], kindOf);
      return value === undefined ? [] : [[field.name, value]];
    }),
  );
}

/** Whether {@link buildBody} sends the field. */
export const isSent = ({ name, required }: Field, model: FormModel, before: FormModel): boolean =>
  required || !isSame(model[name], before[name]);
