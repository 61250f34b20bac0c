import { randomUUID } from 'node:crypto';
import type { OpenAI } from 'openai';
import * as z from 'zod/mini';
import { requestJson } from '#shared/net/request-json.ts';
import type { AiSettings } from './settings.ts';
import type { AiUsage } from './usage.ts';

/** The provider of one chat. */
export type Provider = Awaited<ReturnType<typeof connectProvider>>;

/** The provider's answer cannot be used. The message never quotes the answer. */
class ProviderError extends Error {
  override readonly name = 'ProviderError';
}

/** Connects the SDK through our own `fetch`: public addresses, no redirects, limited time and size. */
export async function connectProvider(settings: AiSettings, remainingMs: () => number) {
  const { base_url: baseURL, api_key: apiKey, model } = settings;
  const usage: AiUsage = { calls: 0, input_tokens: 0, output_tokens: 0 };
  let failure: unknown;

  async function fetch(url: unknown, init: RequestInit = {}): Promise<Response> {
    usage.calls += 1;
    try {
      const { status, body } = await requestJson({
        url: String(url),
        method: 'POST',
        headers: Object.fromEntries(new Headers(init.headers)),
        body: String(init.body),
        timeoutMs: remainingMs(),
      });
      if (status !== 200) throw toProviderError(status, body, apiKey);
      return Response.json(body);
    } catch (error) {
      failure = error;
      throw error;
    }
  }

  const { OpenAI } = await import('./sdk.ts');
  // Explicit nulls: the SDK would read these from the environment.
  const unset = { adminAPIKey: null, organization: null, project: null, webhookSecret: null };
  const client = new OpenAI({ ...unset, baseURL, apiKey, fetch, maxRetries: 0, logLevel: 'off' });
  return {
    /** Usage so far. */
    usage,
    /** Asks for the model's next message. @throws OutboundError, ProviderError */
    async complete(
      messages: OpenAI.ChatCompletionMessageParam[],
      tools: OpenAI.ChatCompletionFunctionTool[],
      signal: AbortSignal,
    ) {
      // Providers refuse an empty list of tools.
      const request = { model, messages, ...(tools.length > 0 && { tools }) };
      const body: unknown = await client.chat.completions.create(request, { signal }).catch((error) => {
        // The SDK wraps the error of `fetch`.
        throw failure ?? error;
      });
      const { content, calls, tokens } = readCompletion(body);
      usage.input_tokens += tokens.prompt_tokens;
      usage.output_tokens += tokens.completion_tokens;
      return { content, calls };
    },
  };
}

/** The error for a status other than 200. It shows neither the provider's message nor a code with the key. */
function toProviderError(status: number, body: unknown, secret: string): ProviderError {
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

function readCompletion(body: unknown) {
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
