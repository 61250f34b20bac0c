import { readSettings } from '#shared/settings/store.ts';
import { ai, isAiConfigured } from './settings.ts';

/** What may be told of the assistant's settings: no key, no prompt. */
export interface AiDescription {
  enabled: boolean;
  /** Whether address, key and model are there. */
  configured: boolean;
  model: string;
  base_url: string;
  max_steps: number;
}

export async function describeAi(): Promise<AiDescription> {
  const settings = await readSettings(ai);
  const { enabled, model, max_steps } = settings;
  return {
    enabled,
    configured: isAiConfigured(settings),
    model,
    base_url: withoutCredentials(settings.base_url),
    max_steps,
  };
}

/** An address without what may be a secret in it: user, password, query and fragment. */
function withoutCredentials(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.origin}${url.pathname}` : '';
}
