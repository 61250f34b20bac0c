import * as z from 'zod/mini';

/**
 * What the audit log keeps of a text: all of a `label`, nothing of a `secret`, a `url` without its query, a `choice` if
 * it is one of the list, only the length of any other text.
 */
export const marks = z.registry<
  { mark: 'label' | 'secret' | 'url' } | { mark: 'choice'; choices: readonly string[] }
>();

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

/** Marks an address: the audit log keeps it without user, query and fragment. */
export function url<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  marks.add(schema, { mark: 'url' });
  return schema;
}

/** Marks a text that anybody may send, and that should be one of a list: the audit log keeps only such a value. */
export function choice<Schema extends z.core.$ZodType>(schema: Schema, choices: readonly string[]): Schema {
  marks.add(schema, { mark: 'choice', choices });
  return schema;
}
