import { type OpenAiDouble, startOpenAi } from '../../doubles/openai.ts';
import { type Desk, useDesk } from './fixture.ts';

export const providerKey = 'sk-0f8c1b7e5a9d4c3e';
export const providerModel = 'test-model';

/** Starts a double of a provider of models. */
export const startProvider = (): Promise<OpenAiDouble> =>
  startOpenAi({ key: providerKey, model: providerModel });

/** A console, and a double of a provider of models beside it, which runs once the first test begins. */
export function useDeskWithProvider(): { desk: Desk; findProvider: () => OpenAiDouble } {
  let provider: OpenAiDouble | undefined;
  const desk = useDesk(
    async () => {
      provider = await startProvider();
      return {};
    },
    () => provider?.stop(),
  );
  const findProvider = () => {
    if (!provider) throw new Error('the provider has not started');
    return provider;
  };
  return { desk, findProvider };
}

/** The settings with which the assistant asks a provider. */
export const settingsOf = ({ baseUrl }: OpenAiDouble) => ({
  group: 'ai',
  values: { enabled: true, base_url: baseUrl, api_key: providerKey, model: providerModel, max_steps: 5 },
});
