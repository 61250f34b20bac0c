import { runWithin } from '#shared/async/run-within.ts';
import { log } from '#shared/log/log.ts';
import { OutboundError } from '#shared/net/outbound-error.ts';
import { readSettings } from '#shared/settings/store.ts';
import systemErrors from '../errors.ts';
import { redeemConfirmTokens } from './confirm-token.ts';
import { composeMessages, converse } from './conversation.ts';
import { connectProvider } from './provider.ts';
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
  const { tools, admin, request } = caller;
  const endsAt = Date.now() + Math.min(chatLimitMs, request.remainingMs() - reserveMs);
  const remainingMs = () => endsAt - Date.now();
  const settings = await requireSettings();
  const calls = new ToolCalls({ ...caller, request: { ...request, remainingMs } }, settings.max_steps);
  const confirmed = input.confirm ? await redeemConfirmTokens(input.confirm, caller, tools) : [];
  // One after the other; a failed call does not stop the next.
  const outcomes: string[] = [];
  for (const call of confirmed) outcomes.push(await calls.run(call));
  const provider = await connectProvider(settings, remainingMs);
  const messages = composeMessages(settings.system_prompt, input, confirmed, outcomes);
  let reply: string | undefined;
  const { isLate, failure } = await runConversation(remainingMs(), async (signal) => {
    for await (const text of converse(provider, messages, calls, signal)) reply = text;
  });
  await recordUsage(admin.id, provider.usage);
  const isUsable = confirmed.length > 0 || (isLate && reply !== undefined);
  if (failure && !isUsable) throw systemErrors.create('ai.provider_failed', { cause: failure });
  if (failure) log.warn('ai.cut_short', { request_id: request.id, is_late: isLate, error: failure });
  const { steps, pending, isExhausted } = calls;
  const { calls: _, ...usage } = provider.usage;
  const end = pending.length > 0 ? 'pending' : isExhausted ? 'max_steps' : isLate ? 'deadline' : 'stop';
  return { reply: reply ?? '', steps, pending, usage, finish_reason: end };
}

async function requireSettings(): Promise<AiSettings> {
  const settings = await readSettings(ai);
  if (!settings.enabled) throw systemErrors.create('ai.disabled');
  if (!isAiConfigured(settings)) throw systemErrors.create('ai.not_configured');
  return settings;
}

/** Runs a conversation until it ends, fails, or its time is over. */
async function runConversation(
  limitMs: number,
  run: (signal: AbortSignal) => Promise<void>,
): Promise<{ isLate: boolean; failure?: unknown }> {
  const outOfTime = new Error('the time of the chat is over');
  try {
    await runWithin(limitMs, () => outOfTime, run);
    return { isLate: false };
  } catch (failure) {
    const isTimeout = failure instanceof OutboundError && failure.reason === 'timeout';
    return { isLate: failure === outOfTime || isTimeout, failure };
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
