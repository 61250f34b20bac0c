import * as z from 'zod/mini';

const call = z.object({
  id: z.string().check(z.minLength(1)),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const message = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content: z.string() }),
  z.object({ role: z.literal('user'), content: z.string().check(z.minLength(1)) }),
  z.object({
    role: z.literal('assistant'),
    content: z.optional(z.nullable(z.string())),
    tool_calls: z.optional(z.array(call).check(z.minLength(1))),
  }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string() }),
]);

const tool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string().check(z.regex(/^[a-zA-Z0-9_-]{1,64}$/)),
    description: z.string().check(z.maxLength(1024)),
    parameters: z.looseObject({ type: z.literal('object') }),
  }),
});

const request = z.object({
  model: z.string(),
  messages: z.array(message).check(z.minLength(1)),
  tools: z.optional(z.array(tool).check(z.minLength(1), z.maxLength(128))),
  tool_choice: z.optional(z.string()),
  stream: z.optional(z.boolean()),
});
/** A request as a provider reads it. */
export type ChatRequest = z.output<typeof request>;

/** Reads a request as OpenAI does. @returns the request, or what is wrong with it */
export function readChatRequest(text: string): ChatRequest | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'We could not parse the JSON body of your request.';
  }
  const { data, error } = z.safeParse(request, value);
  if (!data) return z.prettifyError(error);
  if (data.tool_choice !== undefined && !data.tools) return "'tool_choice' is only allowed with 'tools'.";
  return findUnanswered(data.messages) ?? data;
}

/** Every call of an assistant is answered by a message of its own, right after it. */
function findUnanswered(messages: ChatRequest['messages']): string | undefined {
  let open = new Set<string>();
  for (const entry of messages) {
    if (entry.role === 'tool') {
      if (!open.delete(entry.tool_call_id)) return "A message of role 'tool' must answer a preceding call.";
      continue;
    }
    if (open.size > 0) break;
    open = new Set(entry.role === 'assistant' ? entry.tool_calls?.map(({ id }) => id) : []);
  }
  return open.size > 0 ? `Unanswered tool_call_ids: ${[...open].join()}` : undefined;
}
