import { type OpenAiDouble, startOpenAi } from '../../doubles/openai.ts';

export const providerKey = 'sk-0f8c1b7e5a9d4c3e';
export const providerModel = 'test-model';

/** Starts a double of a provider of models. */
export const startProvider = (): Promise<OpenAiDouble> =>
  startOpenAi({ key: providerKey, model: providerModel });

/** The settings with which the assistant asks a provider. */
export const settingsOf = ({ baseUrl }: OpenAiDouble) => ({
  group: 'ai',
  values: { enabled: true, base_url: baseUrl, api_key: providerKey, model: providerModel, max_steps: 5 },
});
