import * as z from 'zod/mini';

/** A call of a tool; its schema checks the arguments. */
export const toolCall = z.strictObject({
  // Any: the answer to one that stands for nothing says so.
  name: z.string(),
  arguments: z.optional(z.unknown()),
});

/** What a tool answered. */
export const toolResult = z.object({ name: z.string(), result: z.unknown(), duration_ms: z.int() });

/** All tools as they are listed. */
export const toolList = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      input_schema: z.record(z.string(), z.unknown()),
      access: z.enum(['read', 'write']),
      chat: z.boolean(),
    }),
  ),
});
