import * as z from 'zod/mini';
import { Refusal } from './refusal.ts';

const place = z._default(z.string().check(z.regex(/^[a-z0-9_-]{0,32}$/)), '');

/** Keys of dictionaries, comma-separated. */
export const typeKeys = z.pipe(
  z.string().check(z.regex(/^[a-z][a-z0-9_]*(,[a-z][a-z0-9_]*){0,49}$/)),
  z.transform((keys) => keys.split(',')),
);

/** Which page of a list. */
export const listQuery = z.object({
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 20),
  cursor: z.optional(z.string().check(z.maxLength(2000))),
});

/** The texts of a form with a picture. */
export const uploadFields = z.object({ type: z.literal('image'), module: place, tag: place });

/** Input as its schema has it. @throws Refusal 422 */
export function parse<Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(input);
  if (!success) throw new Refusal(422, error.message);
  return data;
}
