import type { OpenAI } from 'openai';
import * as z from 'zod/mini';
import { OutboundError } from '#shared/net/outbound-error.ts';
import { requestJson } from '#shared/net/request-json.ts';
import type { AiSettings } from './settings.ts';
import type { AiUsage } from './usage.ts';

/** The provider of one chat. */
export interface Provider {
  client: OpenAI;
  /** Usage so far. */
  usage: AiUsage;
  /** Why the last request failed; the SDK wraps the error. */
  failure(): OutboundError | ProviderError | undefined;
}

/** The provider's answer cannot be used. The message never quotes the answer. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
}

/**
 * Connects the SDK to a provider through our own `fetch`: public addresses only unless private ones are
 * allowed, no redirects, limited time and size. Answers are checked before the SDK gets them.
 *
 * @param remainingMs time left for a request, in milliseconds
 */
export async function connectProvider(settings: AiSettings, remainingMs: () => number): Promise<Provider> {
  const { base_url: baseURL, api_key: apiKey } = settings;
  const usage: AiUsage = { calls: 0, input_tokens: 0, output_tokens: 0 };
  let failure: OutboundError | ProviderError | undefined;

  async function ask(url: string, init: RequestInit = {}): Promise<Response> {
    usage.calls += 1;
    const { status, body } = await requestJson({
      url,
      method: 'POST',
      headers: Object.fromEntries(new Headers(init.headers)),
      body: withoutEmptyTools(String(init.body)),
      timeoutMs: remainingMs(),
    });
    if (status !== 200) throw toProviderError(status, body, apiKey);
    const completion = readCompletion(body);
    usage.input_tokens += completion.usage.prompt_tokens;
    usage.output_tokens += completion.usage.completion_tokens;
    return Response.json(completion);
  }

  const fetch = async (url: string | URL | Request, init?: RequestInit) => {
    try {
      return await ask(String(url), init);
    } catch (error) {
      if (error instanceof OutboundError || error instanceof ProviderError) failure = error;
      throw error;
    }
  };
  const { OpenAI } = await import('./sdk.ts');
  // Explicit nulls: the SDK would read these from the environment.
  const unset = { adminAPIKey: null, organization: null, project: null, webhookSecret: null };
  const client = new OpenAI({ ...unset, baseURL, apiKey, fetch, maxRetries: 0, logLevel: 'off' });
  return { client, usage, failure: () => failure };
}

/** The SDK's runner sends an empty list if there are no tools, which providers refuse. */
function withoutEmptyTools(body: string): string {
  const { tools, tool_choice, ...rest } = JSON.parse(body);
  return Array.isArray(tools) && tools.length > 0 ? body : JSON.stringify(rest);
}

/**
 * The error for a status other than 200, with the provider's error code. The provider's message is left out,
 * since it may repeat the key or the conversation.
 *
 * @param secret the API key; a code that contains it is left out too
 */
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

/** Reads a provider's answer: every field that OpenAI's API has, and no unknown ones. */
function readCompletion(body: unknown) {
  const { data } = z.safeParse(answer, body);
  const choice = data?.choices[0];
  if (!data || !choice) throw new ProviderError('the provider answered no completion');
  const { content = null, tool_calls } = choice.message;
  const calls = tool_calls?.map(({ id, type, function: { name, arguments: text } }) => ({
    id: id ?? '',
    type,
    function: { name, arguments: text ?? '' },
  }));
  const hasCalls = calls !== undefined && calls.length > 0;
  const message = { role: 'assistant', content, refusal: null, ...(hasCalls && { tool_calls: calls }) };
  const { usage } = data;
  return {
    id: '',
    object: 'chat.completion',
    created: 0,
    model: '',
    choices: [{ index: 0, message, logprobs: null, finish_reason: hasCalls ? 'tool_calls' : 'stop' }],
    usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens },
  };
}
