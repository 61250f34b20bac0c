import { requestJson } from '#shared/net/request-json.ts';
import { readCompletion, toProviderError } from './provider-answer.ts';
import type { AiSettings } from './settings.ts';
import { recordAiUsage } from './usage.ts';

/** Settings that the provider needs. */
export const neededByProvider = ['base_url', 'api_key', 'model'] as const;

/**
 * Asks the provider for one word, and records the usage. Without the SDK, which this request does not need.
 *
 * @throws OutboundError, ProviderError
 */
export async function testProvider(settings: AiSettings, adminId: string, timeoutMs: number): Promise<void> {
  const { base_url, api_key, model } = settings;
  const usage = { calls: 1, input_tokens: 0, output_tokens: 0 };
  try {
    const { status, body } = await requestJson({
      url: `${base_url.replace(/(?<!\/)\/+$/, '')}/chat/completions`,
      method: 'POST',
      headers: { authorization: `Bearer ${api_key}` },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Answer with the word OK.' }] }),
      timeoutMs,
    });
    if (status !== 200) throw toProviderError(status, body, api_key);
    const { tokens } = readCompletion(body);
    usage.input_tokens = tokens.prompt_tokens;
    usage.output_tokens = tokens.completion_tokens;
  } finally {
    await recordAiUsage(adminId, usage);
  }
}
