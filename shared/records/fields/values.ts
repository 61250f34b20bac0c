import * as z from 'zod/mini';
import { mediaUrl } from '#shared/media/media-url.ts';
import { innerOf, originOf, type Schema } from '#shared/schema/definition.ts';
import { addHints } from '#shared/schema/titled.ts';

/** An amount in the smallest unit of a currency: 1999 is 19.99 in CNY. At most 10^13, so that sums stay exact. */
export function money(currency: string): z.ZodMiniNumberFormat {
  const schema = z.int().check(z.gte(0), z.lte(10 ** 13));
  addHints(schema, { type: 'money', currency });
  return schema;
}

/** A day of the calendar, `2026-03-29`, without a time zone. */
export function date(): z.ZodMiniISODate {
  const schema = z.iso.date();
  addHints(schema, { type: 'date' });
  return schema;
}

/** Stored files. @param max files, 1 to 50 */
export function attachments({ max }: { max: number }) {
  const path = mediaUrl(
    z.minLength(1),
    z.maxLength(500),
    z.regex(/^\/?(?:storage|uploads)\//, { error: 'rule.stored_file' }),
  );
  addHints(path, { media: 'file' });
  return z.array(path).check(z.maxLength(max));
}

const uniqueTexts = new WeakSet<Schema>();

/** Marks a text that no two records of a kind may share, ignoring case and width. */
export function uniqueText<Text extends z.core.$ZodType<string>>(text: Text): Text {
  const schema = z.clone(text);
  uniqueTexts.add(schema);
  return schema;
}

/** Whether a field is a {@link uniqueText}, or a copy of one. */
export function isUnique(field: Schema): boolean {
  const next = originOf(field) ?? innerOf(field);
  return uniqueTexts.has(field) || (next !== undefined && isUnique(next));
}
