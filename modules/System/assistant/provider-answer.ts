import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';

/** The provider's answer cannot be used. The message never quotes the answer. */
class ProviderError extends Error {
  override readonly name = 'ProviderError';
}

/** The error for a status other than 200. It shows neither the provider's message nor a code with the key. */
export function toProviderError(status: number, body: unknown, secret: string): ProviderError {
  const { code, type } = Object(Object(body).error);
  const word = [code, type].find(
    (value) => typeof value === 'string' && /^[a-z][a-z0-9_.-]{0,63}$/.test(value) && !value.includes(secret),
  );
  return new ProviderError(`the provider answered ${status}${word === undefined ? '' : ` (${word})`}`);
}

/** Some providers count wrongly or not at all; that does not fail the chat. */
const tokens = z.catch(z.int().check(z.gte(0), z.lte(1_000_000_000)), 0);

const toolCall = z.object({
  // Some providers send no ID or no type.
  id: z._default(z.nullable(z.string()), ''),
  type: z._default(z.literal('function'), 'function'),
  function: z.object({ name: z.string(), arguments: z._default(z.nullable(z.string()), '') }),
});

const message = z.object({
  content: z._default(z.nullable(z.string()), null),
  tool_calls: z.optional(z.nullable(z.array(toolCall))),
});

const answer = z.object({
  choices: z.array(z.object({ message })),
  usage: z.catch(z.object({ prompt_tokens: tokens, completion_tokens: tokens }), {
    prompt_tokens: 0,
    completion_tokens: 0,
  }),
});

/** The model's message, its calls and their tokens. @throws ProviderError */
export function readCompletion(body: unknown) {
  const { data } = z.safeParse(answer, body);
  const choice = data?.choices[0];
  if (!data || !choice) throw new ProviderError('the provider answered no completion');
  const { content, tool_calls } = choice.message;
  const calls = (tool_calls ?? []).map(({ id, type, function: { name, arguments: text } }) => ({
    id: id || randomUUID(),
    type,
    function: { name, arguments: text ?? '' },
  }));
  return { content, calls, tokens: data.usage };
}
