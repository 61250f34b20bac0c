import type { Field, LocalisedText } from '#functions/console/description.ts';
import { formatBytes, formatTime } from './format.ts';

/** What a field's text depends on besides its value. */
export interface TextContext {
  localise(text: LocalisedText): string;
  yes: string;
  no: string;
  /** Name of a dictionary's value; undefined if it is not known. */
  nameOf(dictionary: string, value: string): string | undefined;
  /** Name of a record of a page; undefined if it is not known. */
  referenceName(path: string, id: string): string | undefined;
  /** IANA name. @default the operator's zone */
  timeZone?: string;
  /** Exact numbers of bytes and times with seconds, as in an export. @default false */
  isExact?: boolean;
}

/** A field's value as a person reads it; empty for null and undefined. */
export function toFieldText(field: Field, value: unknown, context: TextContext): string {
  if (value === null || value === undefined) return '';
  if (field.refersTo !== undefined && typeof value === 'string') {
    return context.referenceName(field.refersTo, value) ?? value;
  }
  switch (field.type) {
    case 'boolean':
      return value === true ? context.yes : context.no;
    case 'enum': {
      const option = field.options?.find((each) => each.value === value);
      return option ? context.localise(option.label) : String(value);
    }
    case 'dictionary':
      return context.nameOf(field.dictionary ?? '', String(value)) ?? String(value);
    case 'time':
      return formatTime(String(value), context.isExact, context.timeZone);
    case 'bytes':
      return context.isExact ? String(value) : formatBytes(Number(value));
    case 'list':
      return listText(field, value, context);
    case 'object':
      return objectText(field, value, context);
    default:
      return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }
}

function listText({ items }: Field, value: unknown, context: TextContext): string {
  if (!Array.isArray(value)) return '';
  if (!items) return value.length === 0 ? '' : JSON.stringify(value);
  const separator = items.type === 'object' ? '; ' : ', ';
  return value.map((each) => toFieldText(items, each, context)).join(separator);
}

function objectText({ fields = [] }: Field, value: unknown, context: TextContext): string {
  const texts = fields.map((field) => ({
    field,
    text: toFieldText(field, readMember(value, field.name), context),
  }));
  const parts = texts.filter(({ text }) => text !== '');
  if (context.isExact)
    return parts.map(({ field, text }) => `${context.localise(field.label)}: ${text}`).join(', ');
  // In a table, IDs tell a person nothing if there is more to show.
  const named = parts.filter(({ field }) => field.type !== 'id' && field.name !== 'id');
  return (named.length > 0 ? named : parts).map(({ text }) => text).join(' · ');
}

/** A member of an object; undefined for anything else. */
export const readMember = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;

/** Numbers stand at the right, so that their digits line up. */
export const isNumeric = ({ type }: Field): boolean => ['integer', 'number', 'bytes'].includes(type);
