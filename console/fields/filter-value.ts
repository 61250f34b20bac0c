import type { Field } from '#functions/console/description.ts';

/** A filter's value for an input, from its text in the URL. */
export function readFilter(field: Field, text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  if (field.type === 'integer' || field.type === 'number' || field.type === 'bytes') {
    const value = Number(text);
    return Number.isFinite(value) ? value : undefined;
  }
  if (field.type === 'enum') return field.options?.find(({ value }) => String(value) === text)?.value;
  if (field.type === 'list') return text.split(',');
  return text;
}

/** The text in the URL of a filter's value; undefined without one. */
export function writeFilter(value: unknown): string | undefined {
  const text = Array.isArray(value) ? value.join(',') : String(value ?? '').trim();
  return text === '' ? undefined : text;
}

/** Yes or no, as a query spells them. */
export const flagOptions: Field['options'] = [
  { value: 'true', label: { zh_CN: '是', en: 'Yes' } },
  { value: 'false', label: { zh_CN: '否', en: 'No' } },
];

/** How a filter is shown: a flag has three states, and long texts are one line. */
export function toFilterField(field: Field): Field {
  const shown = { ...field, required: false, nullable: false };
  if (field.type === 'boolean') return { ...shown, type: 'enum', options: flagOptions };
  if (['multiline', 'html', 'media', 'id', 'secret'].includes(field.type)) return { ...shown, type: 'text' };
  return shown;
}
