import * as z from 'zod/mini';
import { label, secret } from '#shared/schema/marks.ts';
import { text } from '#shared/schema/text.ts';

const historyLimitBytes = 65_536;

const entry = z.strictObject({ role: z.enum(['user', 'assistant']), content: z.string() });
const confirmToken = secret(z.string().check(z.minLength(1), z.maxLength(200_000)));

/** Input of a chat: a message, confirmed calls, or both. */
export const chatInput = z
  .strictObject({
    message: z.optional(text(1, 8000)),
    /** Earlier messages, oldest first. They come from the client and give no rights. */
    history: z.optional(z.array(entry).check(z.maxLength(40))),
    confirm: z.optional(z.array(confirmToken).check(z.minLength(1), z.maxLength(10))),
  })
  .check(({ value, issues }) => {
    const { message, confirm, history = [] } = value;
    const refuse = (path: 'message' | 'history', rule: string) =>
      issues.push({ code: 'custom', input: value[path], path: [path], message: rule });
    if (message === undefined && confirm === undefined) refuse('message', 'rule.chat_message');
    const sizeBytes = history.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
    if (sizeBytes > historyLimitBytes) refuse('history', 'rule.chat_history');
  });
export type ChatInput = z.output<typeof chatInput>;

/** Why a call failed, in the administrator's language. */
const toolFailure = z.strictObject({
  code: z.string(),
  message: z.string(),
  errors: z.optional(z.array(z.strictObject({ path: z.string(), message: z.string() }))),
});

const chatStep = z.strictObject({
  name: z.string(),
  /** As the model sent them: an object, or text that is not JSON. */
  arguments: z.unknown(),
  result: z.optional(z.unknown()),
  error: z.optional(toolFailure),
});
/** A finished call with its `result` or `error`. */
export type ChatStep = z.output<typeof chatStep>;

const pendingCall = z.strictObject({ name: z.string(), arguments: z.unknown(), confirm_token: z.string() });
/** A call that waits for the administrator's confirmation. */
export type PendingCall = z.output<typeof pendingCall>;

export const chatAnswer = z.strictObject({
  reply: z.string(),
  steps: z.array(chatStep),
  pending: z.array(pendingCall),
  usage: z.strictObject({ input_tokens: z.int(), output_tokens: z.int() }),
  finish_reason: z.enum(['stop', 'max_steps', 'deadline', 'pending']),
});
export type ChatAnswer = z.output<typeof chatAnswer>;

/** Input of a tool call; the tool's own schema checks the arguments. */
export const toolCall = z.strictObject({
  // Any string: an unknown name gets an answer that says so.
  name: label(z.string()),
  arguments: z.optional(z.unknown()),
});
