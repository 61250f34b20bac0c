import type { Field } from '#functions/console/description.ts';
import { type TextContext, textOf } from './kind.ts';
import { kindOf } from './kinds.ts';

/** A field's value as a person reads it; empty for null and undefined. */
export const toFieldText = (field: Field, value: unknown, context: TextContext): string =>
  textOf(field, value, context, kindOf);
