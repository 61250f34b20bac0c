import { log } from '#shared/log/log.ts';
import { OutboundError } from '#shared/net/outbound-error.ts';
import { readSettings } from '#shared/settings/store.ts';
import { runWithin } from '#shared/tools/invoke.ts';
import systemErrors from '../errors.ts';
import { redeemConfirmTokens } from './confirm-token.ts';
import {
  type ConfirmedCall,
  type Conversation,
  composeMessages,
  createConversation,
} from './conversation.ts';
import { connectProvider, type Provider } from './provider.ts';
import type { ChatAnswer, ChatInput } from './schema.ts';
import { type AiSettings, ai, isAiConfigured } from './settings.ts';
import { type ChatCaller, ToolCalls } from './tool-calls.ts';
import { type AiUsage, recordAiUsage } from './usage.ts';

/** Longest time of a chat, in milliseconds. */
const chatLimitMs = 24_000;
/** Part of the function's time reserved for the record and the answer, in milliseconds. */
const reserveMs = 2000;
const recordLimitMs = 1000;

/**
 * Lets the assistant answer an administrator. Tools that read run at once. Calls of tools that write are
 * answered as `pending`, and run when a later request sends their tokens in `confirm`.
 *
 * @throws AppError `ai.disabled`, `ai.not_configured`; `tool.confirm_invalid` before anything has run;
 *   `ai.provider_failed` if the provider fails and no confirmed call has run
 */
export async function chat(input: ChatInput, caller: ChatCaller): Promise<ChatAnswer> {
  const endsAt = Date.now() + Math.min(chatLimitMs, caller.request.remainingMs() - reserveMs);
  const remainingMs = () => endsAt - Date.now();
  const settings = await requireSettings();
  const { system_prompt, model, max_steps } = settings;
  const { tools, admin, request } = caller;
  const calls = new ToolCalls({ ...caller, request: { id: request.id, remainingMs } }, max_steps);
  const confirmed = await runConfirmed(input.confirm, caller, calls);
  const provider = await connectProvider(settings, remainingMs);
  const messages = composeMessages(system_prompt, input, confirmed);
  const conversation = createConversation({
    ...{ client: provider.client, model, messages, registry: tools, calls },
    limit: max_steps + 1,
  });
  const { isLate, failure } = await runConversation(conversation, provider, remainingMs);
  await recordUsage(admin.id, provider.usage);
  const isUsable = confirmed.length > 0 || (isLate && conversation.reply() !== undefined);
  if (failure && !isUsable) throw systemErrors.create('ai.provider_failed', { cause: failure });
  if (failure) log.warn('ai.cut_short', { request_id: request.id, is_late: isLate, error: failure });
  return toAnswer(conversation, calls, provider.usage, isLate);
}

async function requireSettings(): Promise<AiSettings> {
  const settings = await readSettings(ai);
  if (!settings.enabled) throw systemErrors.create('ai.disabled');
  if (!isAiConfigured(settings)) throw systemErrors.create('ai.not_configured');
  return settings;
}

/** Runs the confirmed calls one after the other; a failed call does not stop the next. */
async function runConfirmed(
  tokens: readonly string[] = [],
  { admin, tools }: ChatCaller,
  calls: ToolCalls,
): Promise<ConfirmedCall[]> {
  if (tokens.length === 0) return [];
  const confirmed: ConfirmedCall[] = [];
  for (const call of await redeemConfirmTokens(tokens, admin.id, tools)) {
    confirmed.push({ call, outcome: await calls.confirm(call) });
  }
  return confirmed;
}

/** Runs a conversation until it ends, fails, or its time is over. */
async function runConversation(
  { run }: Conversation,
  provider: Provider,
  remainingMs: () => number,
): Promise<{ isLate: boolean; failure?: unknown }> {
  const outOfTime = new Error('the time of the chat is over');
  try {
    await runWithin(remainingMs(), () => outOfTime, run);
    return { isLate: false };
  } catch (thrown) {
    const failure = provider.failure() ?? thrown;
    const isTimeout = failure instanceof OutboundError && failure.reason === 'timeout';
    return { isLate: thrown === outOfTime || isTimeout, failure };
  }
}

/** Records the usage, also of a chat that failed. An error here is only logged: the chat has its answer. */
async function recordUsage(adminId: string, usage: AiUsage): Promise<void> {
  if (usage.calls === 0) return;
  const expire = () => new Error('the database took too long');
  try {
    await runWithin(recordLimitMs, expire, () => recordAiUsage(adminId, usage));
  } catch (error) {
    log.error('ai.usage_unrecorded', { admin: adminId, ...usage, error });
  }
}

function toAnswer(
  conversation: Conversation,
  calls: ToolCalls,
  { input_tokens, output_tokens }: AiUsage,
  isLate: boolean,
): ChatAnswer {
  const isPending = calls.pending.length > 0;
  const end = isPending ? 'pending' : calls.isExhausted ? 'max_steps' : isLate ? 'deadline' : 'stop';
  return {
    reply: conversation.reply() ?? '',
    steps: calls.steps,
    pending: calls.pending,
    usage: { input_tokens, output_tokens },
    finish_reason: end,
  };
}
