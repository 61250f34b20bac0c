import * as z from 'zod/mini';

// What tools about the assistant answer.

const usage = { calls: z.int(), input_tokens: z.int(), output_tokens: z.int() };

/** What `readAiUsage` returns. */
export const usageResult = z.strictObject({
  days: z.array(z.strictObject({ date: z.iso.date(), ...usage })),
  total: z.strictObject(usage),
});

/** What `describeAi` returns. */
export const settingsResult = z.strictObject({
  enabled: z.boolean(),
  configured: z.boolean(),
  model: z.string(),
  base_url: z.string(),
  max_steps: z.int(),
});
