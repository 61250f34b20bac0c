import { localise } from '#console/base/locale.ts';
import type { SettingField } from '#functions/console/description.ts';
import { texts } from './texts.ts';

/** A value as text in the current locale; nothing of a secret. */
export function describeValue(field: SettingField, value: unknown): string {
  if (field.type === 'secret') return '******';
  if (typeof value === 'boolean') return localise(value ? texts.on : texts.off);
  const option = field.options?.find((each) => String(each.value) === String(value));
  return option ? localise(option.label) : String(value ?? '') || localise(texts.empty);
}
