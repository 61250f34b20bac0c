import type * as z from 'zod/mini';
import { Refusal } from '../jobs/refusal.ts';

/** Input as its schema has it. @throws Refusal 422 */
export function parse<Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(input);
  if (!success) throw new Refusal(422, error.message);
  return data;
}
