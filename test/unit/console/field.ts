import type { Field } from '#functions/console/description.ts';

/** A field as the description writes it. */
export const field = (name: string, type: Field['type'], more: Partial<Field> = {}): Field => ({
  name,
  label: { zh_CN: `${name}（中）`, en: name },
  type,
  required: true,
  nullable: false,
  ...more,
});
