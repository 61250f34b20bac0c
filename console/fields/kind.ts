import type { Component, VNode } from 'vue';
import type { Field, LocalisedText, Option } from '#functions/console/description.ts';

/** All that the console knows about the fields of one type. `kinds.ts` finds them. */
export interface FieldKind {
  /** Its input, without a label. `field-control.vue` shows it and says which props it gets. */
  input(field: Field, kindOf: KindOf): Component;
  /** The input of a list of such values. @default one that shows item by item */
  listInput?: Component;
  /** Shows a value that is not empty. Undefined: its text is shown. */
  display?(shown: Shown, kindOf: KindOf): VNode | undefined;
  /** Shows a list of such values, all of it. @default its text */
  listDisplay?(items: Field, values: readonly unknown[]): VNode;
  /** A value, neither null nor undefined, as a person reads it. */
  text(field: Field, value: unknown, context: TextContext, kindOf: KindOf): string;
  /** The value of a text in a file, as `text` writes it; undefined if none fits. @default that of the filter */
  read?(field: Field, text: string, context: TextContext, kindOf: KindOf): unknown;
  model: FieldModel;
  column: FieldColumn;
  filter: FieldFilter;
  /** The values of a field that sets one of a few states. */
  choices?(field: Field): readonly Option[];
  /** Stands between the texts of a list. @default a comma */
  separator?: string;
  /** It tells a person nothing if there is more to show. */
  isKey?: true;
}

/** The kind of a field. The table passes it to its rows: lists and objects hold fields of all types. */
export type KindOf = (field: Field) => FieldKind;

export interface Shown {
  field: Field;
  value: unknown;
  /** As a person reads it. */
  text: string;
  /** All of it, as in a detail; a table's cell is short. */
  isWhole: boolean;
}

/** What a form does with a field. */
export interface FieldModel {
  /** What the input holds for a value of the service; undefined is no value. */
  begin(field: Field, value: unknown, kindOf: KindOf): unknown;
  /** What is sent for an input that has a value. */
  send(field: Field, value: unknown, kindOf: KindOf): unknown;
  /** What is sent for an emptied input that may not be null; undefined leaves the field out. */
  empty(field: Field): unknown;
  /** Whether the service refuses an input without a value, if the field is neither nullable nor has a default. */
  refusesEmpty(field: Field): boolean;
  /** What is wrong with a value by the field's own rules; undefined if nothing is. */
  findProblem(field: Field, value: unknown): Problem | undefined;
  /** The inputs inside it that are checked. */
  parts?(field: Field, value: unknown): FieldPart[];
  /** The input inside it that a step of a path names. */
  member?(field: Field, step: string): Field | undefined;
}

/** An input inside an object or a list. */
export interface FieldPart {
  /** Its name or index. */
  step: string;
  field: Field;
  value: unknown;
}

/** What a table does with a field. */
export interface FieldColumn {
  /** Least width in pixels, for usual values. */
  width(field: Field): number;
  /** Numbers stand at the right, so that their digits line up. */
  isNumeric?: true;
  /** A long text is cut, and shown on hover. */
  isCut?: true;
  /** Its text can be the button that opens the row. */
  isName?: true;
  /** Long or technical values are shown if the operator wants them. */
  isRare?(field: Field): boolean;
}

/** What a filter does with a field. */
export interface FieldFilter {
  /** The field whose input is shown; long texts are one line, and a flag has three states. */
  shown(field: Field): Field;
  /** The value of the text in the URL, which is not empty; undefined if it does not fit. */
  read(field: Field, text: string): unknown;
  /** Applied when typing pauses. */
  isTyped?: true;
  isWide?: true;
}

/** Why the service would refuse an input: a text of the locale files and its parameters. */
export interface Problem {
  key: string;
  params?: Record<string, number | string>;
  /** Words of the field's own; they stand in place of the text. */
  text?: LocalisedText;
}

/** What a field's text depends on besides its value. */
export interface TextContext {
  localise(text: LocalisedText): string;
  yes: string;
  no: string;
  /** Name of a dictionary's value; undefined if it is not known. */
  nameOf(dictionary: string, value: string): string | undefined;
  /** The value of a dictionary with this name; undefined if it is not known. */
  valueNamed?(dictionary: string, name: string): string | undefined;
  /** Name of a record of a page; undefined if it is not known. */
  referenceName(path: string, id: string): string | undefined;
  /** IANA name. @default the operator's zone */
  timeZone?: string;
  /** Exact numbers of bytes and times with seconds, as in an export. @default false */
  isExact?: boolean;
}

/** Whether an input has no value. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** A member of an object; undefined for anything else. */
export const readMember = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;

/** Path of the page whose records a field, or each item of a list, names; undefined if it names none. */
export const findReferredPath = (field: Field): string | undefined => field.refersTo ?? field.items?.refersTo;

const toPlainText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

/** The text of a value; empty for null and undefined. */
export const textOf = (field: Field, value: unknown, context: TextContext, kindOf: KindOf): string =>
  value === null || value === undefined ? '' : kindOf(field).text(field, value, context, kindOf);

/** What the inputs of fields hold. @param record values to begin with, as the service sent them */
export const beginAll = (
  fields: readonly Field[],
  record: unknown,
  kindOf: KindOf,
): Record<string, unknown> =>
  Object.fromEntries(
    fields.map((field) => {
      const value = readMember(record, field.name) ?? field.default;
      return [field.name, kindOf(field).model.begin(field, value, kindOf)];
    }),
  );

/** What is sent for an input. An emptied one is null if it may be null; undefined is not sent. */
export function sendOf(field: Field, value: unknown, kindOf: KindOf): unknown {
  const { model } = kindOf(field);
  if (!isEmpty(value)) return model.send(field, value, kindOf);
  return field.nullable ? null : model.empty(field);
}

/** Checks the limits of a number, or of a list's length. */
export function checkLimits(
  { min, max }: Field,
  value: number,
  below: string,
  above: string,
): Problem | undefined {
  if (min !== undefined && value < min) return { key: below, params: { min } };
  return max !== undefined && value > max ? { key: above, params: { max } } : undefined;
}

/** Checks the limits and the pattern of a text; anything else is fine. */
function checkText({ minLength = 0, maxLength, pattern, rule }: Field, value: unknown): Problem | undefined {
  if (typeof value !== 'string') return undefined;
  if (value.length < minLength) return { key: 'rule.short', params: { min: minLength } };
  if (maxLength !== undefined && value.length > maxLength)
    return { key: 'rule.long', params: { max: maxLength } };
  return matches(pattern, value) ? undefined : { key: 'rule.pattern', ...(rule && { text: rule }) };
}

export const matches = (pattern: string | undefined, value: string): boolean =>
  pattern === undefined || new RegExp(pattern).test(value);

/** A value that is held, sent and shown as it is; kinds change what differs. */
export const plain = {
  text: (_field: Field, value: unknown) => toPlainText(value),
  model: {
    begin: (_field: Field, value: unknown) => value ?? undefined,
    send: (_field: Field, value: unknown) => value,
    empty: (): unknown => undefined,
    refusesEmpty: (_field: Field) => true,
    findProblem: checkText,
  },
  column: { width: () => 128 },
  filter: {
    shown: (field: Field) => ({ ...field, required: false, nullable: false }),
    read: (_field: Field, text: string): unknown => text,
  },
} satisfies Partial<FieldKind>;
