import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, jest } from '@jest/globals';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { chat } from '#modules/System/assistant/chat.ts';
import type { ChatAnswer, ChatInput } from '#modules/System/assistant/schema.ts';
import { ai } from '#modules/System/assistant/settings.ts';
import type { ChatCaller } from '#modules/System/assistant/tool-calls.ts';
import type { AdminCaller } from '#shared/auth/principal.ts';
import { environment } from '#shared/config/environment.ts';
import { createTranslate } from '#shared/i18n/messages.ts';
import { writeValues } from '#shared/settings/store.ts';
import { type OpenAiDouble, startOpenAi } from '../../../../doubles/openai.ts';
import { useDatabase } from '../../../../support/database.ts';
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

export const createAdmin = (id: string): AdminCaller => ({
  ...{
    id,
    account: 'root',
    name: 'Root',
    avatar: '',
    status: 'enabled',
    super: true,
    role_ids: [],
    grants: [],
  },
  ...{ last_login_at: null, last_login_ip: null, created_at: '2026-01-01T00:00:00.000Z' },
});

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
export function createChatCaller(): Omit<ChatCaller, 'tools'> {
  return {
    admin: createAdmin(adminId),
    request: createRequest(29_000),
    locale: 'en',
    t: createTranslate('en'),
  };
}

/** A request with the given time left, in milliseconds. */
export const createRequest = (leftMs: number): ChatCaller['request'] => ({
  id: 'request-1',
  address: '203.0.113.7',
  remainingMs: () => leftMs,
});

/** The tool messages of the last request, parsed. */
export function lastOutcomes({ requests }: OpenAiDouble): unknown[] {
  const messages = requests.at(-1)?.messages ?? [];
  return messages.flatMap((message) => (message.role === 'tool' ? [JSON.parse(message.content)] : []));
}
