import type { OpenAI } from 'openai';
import { requestJson } from '#shared/net/request-json.ts';
import { readCompletion, toProviderError } from './provider-answer.ts';
import type { AiSettings } from './settings.ts';
import type { AiUsage } from './usage.ts';

/** The provider of one chat. */
export type Provider = Awaited<ReturnType<typeof connectProvider>>;

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
