import { localise } from '#console/base/locale.ts';
import { toFieldText } from '#console/fields/field-text.ts';
import { textContext } from '#console/fields/use-text.ts';
import type { SettingField } from '#functions/console/description.ts';
import { texts } from './texts.ts';

/** A value as text in the current locale; nothing of a secret. */
export function describeValue(field: SettingField, value: unknown): string {
  if (field.type === 'secret') return '******';
  const context = { ...textContext, yes: localise(texts.on), no: localise(texts.off), isExact: true };
  return toFieldText(field, field.options ? String(value ?? '') : value, context) || localise(texts.empty);
}
