import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, jest } from '@jest/globals';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { chat } from '#modules/System/assistant/chat.ts';
import type { ChatAnswer, ChatInput } from '#modules/System/assistant/schema.ts';
import { ai } from '#modules/System/assistant/settings.ts';
import type { ChatCaller } from '#modules/System/assistant/tool-calls.ts';
import { environment } from '#shared/config/environment.ts';
import { writeValues } from '#shared/settings/store.ts';
import type { ToolCaller } from '#shared/tools/invoke.ts';
import { type OpenAiDouble, startOpenAi } from '../../../../doubles/openai.ts';
import { useDatabase } from '../../../../support/database.ts';
import { createAdmin, createCaller } from '../../../../support/tool-caller.ts';
import { createTools, type Deeds } from './tool-fixture.ts';

/** Random, so that it occurs nowhere else by chance. */
export const key = `sk-${randomBytes(16).toString('hex')}`;
export const model = 'test-model';

export interface ChatBench {
  provider: OpenAiDouble;
  /** Calls of the tools in this test. */
  deeds: Deeds;
  ask(input: ChatInput, changes?: Partial<ChatCaller>): Promise<ChatAnswer>;
  /** Changes settings until the next test. */
  set(values: Record<string, unknown>): Promise<void>;
  /** Every line that was logged in this test. */
  logged(): string;
}

/** The default administrator. */
export const adminId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

/** Starts a database and a provider for a test file; resets the settings before each test. */
export function useChat(): ChatBench {
  useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');
  const lines: unknown[] = [];
  let provider: OpenAiDouble | undefined;
  let tools = createTools();

  beforeAll(async () => {
    environment().logLevel = 'debug';
    provider = await startOpenAi({ key, model });
  });
  afterAll(() => provider?.stop());
  beforeEach(async () => {
    lines.length = 0;
    for (const level of ['debug', 'info', 'warn', 'error'] as const) {
      jest.spyOn(console, level).mockImplementation((line: unknown) => void lines.push(line));
    }
    tools = createTools();
    required(provider).requests.length = 0;
    const base_url = required(provider).baseUrl;
    await writeValues(ai, { enabled: true, base_url, api_key: key, model, system_prompt: '', max_steps: 5 });
  });

  return {
    get provider() {
      return required(provider);
    },
    get deeds() {
      return tools.deeds;
    },
    ask: (input, changes = {}) => chat(input, { ...createChatCaller(), tools: tools.registry, ...changes }),
    set: (values) => writeValues(ai, values),
    logged: () => lines.join('\n'),
  };
}

function required(provider: OpenAiDouble | undefined): OpenAiDouble {
  if (!provider) throw new Error('the provider has not started');
  return provider;
}

/** The context of the route, in English. */
export const createChatCaller = (): ToolCaller => createCaller(createAdmin(adminId));

/** The tool messages of the last request, parsed. */
export function lastOutcomes({ requests }: OpenAiDouble): unknown[] {
  const messages = requests.at(-1)?.messages ?? [];
  return messages.flatMap((message) => (message.role === 'tool' ? [JSON.parse(message.content)] : []));
}
