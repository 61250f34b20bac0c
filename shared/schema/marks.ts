import * as z from 'zod/mini';

/** What the audit log keeps of a text: all of a `label`, nothing of a `secret`, only the length of any other text. */
export const marks = z.registry<{ mark: 'label' | 'secret' }>();

/** Marks a name, title, account, ID or dictionary value: the audit log keeps it. */
export function label<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  marks.add(schema, { mark: 'label' });
  return schema;
}

/** Marks a password, token, key or code: the audit log keeps nothing of it. */
export function secret<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  marks.add(schema, { mark: 'secret' });
  return schema;
}
