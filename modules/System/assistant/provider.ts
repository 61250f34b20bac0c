import type { OpenAI } from 'openai';
import { OutboundError } from '#shared/net/outbound-error.ts';
import { requestJson } from '#shared/net/request-json.ts';
import { readCompletion } from './completion.ts';
import { ProviderError, toProviderError } from './provider-error.ts';
import type { AiSettings } from './settings.ts';
import type { AiUsage } from './usage.ts';

/** A provider for the time of one chat. */
export interface Provider {
  client: OpenAI;
  /** What has been used so far. */
  usage: AiUsage;
  /** Why the last request came to nothing; the SDK wraps what it is thrown. */
  failure(): OutboundError | ProviderError | undefined;
}

/**
 * Connects the SDK to a provider by a `fetch` of our own: to public addresses only unless private ones are
 * allowed, without redirects, bounded in time and size, and with answers that are checked before the SDK
 * sees them.
 *
 * @param remainingMs how long a request may still take, in milliseconds
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
    if (!completion) throw new ProviderError('the provider answered no completion');
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
  // What is not said here the SDK would look for in the environment.
  const nothing = { adminAPIKey: null, organization: null, project: null, webhookSecret: null };
  const client = new OpenAI({ ...nothing, baseURL, apiKey, fetch, maxRetries: 0, logLevel: 'off' });
  return { client, usage, failure: () => failure };
}

/** The SDK's runner sends an empty list where there are no tools, which providers refuse. */
function withoutEmptyTools(body: string): string {
  const { tools, tool_choice, ...rest } = JSON.parse(body);
  return Array.isArray(tools) && tools.length > 0 ? body : JSON.stringify(rest);
}
