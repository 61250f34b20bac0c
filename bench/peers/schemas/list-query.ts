import * as z from 'zod/mini';

/** Which page of a list. */
export const listQuery = z.object({
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 20),
  cursor: z.optional(z.string().check(z.maxLength(2000))),
});
