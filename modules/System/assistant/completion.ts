import * as z from 'zod/mini';

/** Some count badly, or not at all: that fails nobody's chat. */
const tokens = z.catch(z.int().check(z.gte(0), z.lte(1_000_000_000)), 0);

const toolCall = z.object({
  // Some give no ID, and some no type.
  id: z._default(z.nullable(z.string()), ''),
  type: z._default(z.literal('function'), 'function'),
  function: z.object({ name: z.string(), arguments: z._default(z.nullable(z.string()), '') }),
});

const answer = z.object({
  choices: z.array(
    z.object({
      message: z.object({
        content: z.optional(z.nullable(z.string())),
        tool_calls: z.optional(z.nullable(z.array(toolCall))),
      }),
    }),
  ),
  usage: z.catch(z.object({ prompt_tokens: tokens, completion_tokens: tokens }), {
    prompt_tokens: 0,
    completion_tokens: 0,
  }),
});

/** A provider's answer with all that OpenAI's has, and nothing that we do not know. */
export type Completion = ReturnType<typeof toCompletion>;

/** Reads a provider's answer; undefined for one that is none. */
export function readCompletion(body: unknown): Completion | undefined {
  const { data } = z.safeParse(answer, body);
  const choice = data?.choices[0];
  return data && choice && toCompletion(choice.message, data.usage);
}

type Answer = z.output<typeof answer>;

function toCompletion(
  { content = null, tool_calls }: Answer['choices'][number]['message'],
  usage: Answer['usage'],
) {
  const calls = tool_calls?.map(({ id, type, function: { name, arguments: text } }) => ({
    id: id ?? '',
    type,
    function: { name, arguments: text ?? '' },
  }));
  const hasCalls = calls !== undefined && calls.length > 0;
  const message = { role: 'assistant', content, refusal: null, ...(hasCalls && { tool_calls: calls }) };
  return {
    id: '',
    object: 'chat.completion',
    created: 0,
    model: '',
    choices: [{ index: 0, message, logprobs: null, finish_reason: hasCalls ? 'tool_calls' : 'stop' }],
    usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens },
  };
}
