import { createConfirmToken } from '#modules/System/assistant/confirm-token.ts';
import { toDay } from '#shared/config/local-time.ts';
import { decrypt } from '#shared/crypto/encrypt.ts';
import type { Turn } from '../../doubles/openai.ts';
import { keys } from '../../support/keys.ts';
import { type Caller, newAdmin, type World } from '../world/world.ts';
import { defineFlow, type Flow } from './flow.ts';

/** Looks one thing up, then answers. */
export const lookUpThenAnswer: Turn = ({ messages }) =>
  messages.at(-1)?.role === 'user'
    ? { calls: [{ name: 'system__user_count' }, { name: 'system__ai_settings' }] }
    : { content: 'There are some.' };

async function countCalls({ table }: World, adminId: string): Promise<number> {
  return Number((await table.get(keys.aiUsageOf(toDay(), adminId)))?.calls ?? 0);
}

const chat = defineFlow<Caller>({
  name: 'the assistant is asked by rpc',
  isTriedCold: true,
  prepare: () => newAdmin(),
  act: ({ api }, { token }) => {
    const params = { message: 'How many users are there?' };
    return api.post(
      '/adminapi/system/ai/mcp/rpc',
      { jsonrpc: '2.0', id: 1, method: 'ai/chat', params },
      token,
    );
  },
  isDone: ({ code, data }) => code === 'ok' && data.reply === 'There are some.' && data.steps.length === 2,
  look: async (world, { adminId }) => ((await countCalls(world, adminId)) > 0 ? 'after' : 'before'),
  isShown: async () => true,
  changes: () => [],
  failures: ['ai.provider_failed'],
  isLenient: true,
});

const confirm = defineFlow<Caller & { confirm: string }>({
  name: 'a call is confirmed',
  async prepare() {
    const caller = await newAdmin();
    const call = { name: 'system.user_count', arguments: {} };
    return {
      ...caller,
      confirm: createConfirmToken({ admin: { id: caller.adminId }, sessionEpoch: 1 }, call),
    };
  },
  act: ({ api }, { token, confirm: given }) =>
    api.post('/adminapi/system/ai/mcp/chat', { confirm: [given] }, token),
  isDone: ({ code, data }) => code === 'ok' && data.steps.length === 1,
  async look({ table }, { adminId, confirm: given }) {
    const [id] = JSON.parse(decrypt(given, 'confirm', `tool-call of ${adminId} in epoch 1`) ?? '[]');
    return (await table.get(keys.singleUse('confirm_token', id))) ? 'after' : 'before';
  },
  isShown: async () => true,
  changes: () => [],
  conflicts: ['tool.confirm_invalid'],
});

export const chatFlows: Flow[] = [chat, confirm];
