import type { Field } from '#functions/console/description.ts';
import { kindOf } from './kinds.ts';

/** A filter's value for an input, from its text in the URL. */
export const readFilter = (field: Field, text: string | undefined): unknown =>
  text === undefined || text === '' ? undefined : kindOf(field).filter.read(field, text);

/** The text in the URL of a filter's value; undefined without one. */
export function writeFilter(value: unknown): string | undefined {
  const text = Array.isArray(value) ? value.join(',') : String(value ?? '').trim();
  return text === '' ? undefined : text;
}
