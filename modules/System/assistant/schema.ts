import * as z from 'zod/mini';
import { label, secret } from '#shared/schema/marks.ts';
import { text } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';

const historyLimitBytes = 65_536;

const entry = z.strictObject({
  role: titled(
    {
      zh_CN: '角色',
      en: 'Role',
      options: {
        user: { zh_CN: '管理员', en: 'Administrator' },
        assistant: { zh_CN: '助手', en: 'Assistant' },
      },
    },
    z.enum(['user', 'assistant']),
  ),
  content: titled({ zh_CN: '内容', en: 'Content', type: 'multiline' }, z.string()),
});
const confirmToken = secret(z.string().check(z.minLength(1), z.maxLength(200_000)));

/** Input of a chat: a message, confirmed calls, or both. */
export const chatInput = z
  .strictObject({
    message: titled({ zh_CN: '消息', en: 'Message', type: 'multiline' }, z.optional(text(1, 8000))),
    /** Earlier messages, oldest first. They come from the client and give no rights. */
    history: titled({ zh_CN: '对话历史', en: 'History' }, z.optional(z.array(entry).check(z.maxLength(40)))),
    confirm: titled(
      { zh_CN: '已确认的操作', en: 'Confirmed calls' },
      z.optional(z.array(confirmToken).check(z.minLength(1), z.maxLength(10))),
    ),
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

const fault = z.strictObject({
  path: titled({ zh_CN: '位置', en: 'Position' }, z.string()),
  message: titled({ zh_CN: '消息', en: 'Message' }, z.string()),
});

/** Why a call failed, in the administrator's language. */
const toolFailure = z.strictObject({
  code: titled({ zh_CN: '错误码', en: 'Error code' }, z.string()),
  message: titled({ zh_CN: '消息', en: 'Message' }, z.string()),
  errors: titled({ zh_CN: '错误', en: 'Errors' }, z.optional(z.array(fault))),
});

const toolName = titled({ zh_CN: '工具', en: 'Tool' }, z.string());
/** As the model sent them: an object, or text that is not JSON. */
const toolArguments = titled({ zh_CN: '参数', en: 'Arguments' }, z.unknown());

const chatStep = z.strictObject({
  name: toolName,
  arguments: toolArguments,
  result: titled({ zh_CN: '结果', en: 'Result' }, z.optional(z.unknown())),
  error: titled({ zh_CN: '错误', en: 'Error' }, z.optional(toolFailure)),
});
/** A finished call with its `result` or `error`. */
export type ChatStep = z.output<typeof chatStep>;

const pendingCall = z.strictObject({
  name: toolName,
  description: titled({ zh_CN: '说明', en: 'Description' }, z.string()),
  arguments: toolArguments,
  confirm_token: titled({ zh_CN: '确认令牌', en: 'Confirmation token' }, z.string()),
});
/** A call that waits for the administrator's confirmation. */
export type PendingCall = z.output<typeof pendingCall>;

const usage = z.strictObject({
  input_tokens: titled({ zh_CN: '输入 Token 数', en: 'Input tokens' }, z.int()),
  output_tokens: titled({ zh_CN: '输出 Token 数', en: 'Output tokens' }, z.int()),
});

const finishReason = titled(
  {
    zh_CN: '结束原因',
    en: 'Why it ended',
    options: {
      stop: { zh_CN: '已完成', en: 'Finished' },
      max_steps: { zh_CN: '步数已满', en: 'Too many steps' },
      deadline: { zh_CN: '时间已到', en: 'Out of time' },
      pending: { zh_CN: '等待确认', en: 'Waits for a confirmation' },
    },
  },
  z.enum(['stop', 'max_steps', 'deadline', 'pending']),
);

export const chatAnswer = z.strictObject({
  reply: titled({ zh_CN: '回复', en: 'Reply', type: 'multiline' }, z.string()),
  steps: titled({ zh_CN: '已执行的操作', en: 'Finished calls' }, z.array(chatStep)),
  pending: titled({ zh_CN: '待确认的操作', en: 'Calls to confirm' }, z.array(pendingCall)),
  usage: titled({ zh_CN: '用量', en: 'Usage' }, usage),
  finish_reason: finishReason,
});
export type ChatAnswer = z.output<typeof chatAnswer>;

/** Input of a tool call; the tool's own schema checks the arguments. */
export const toolCall = z.strictObject({
  // Any string: an unknown name gets an answer that says so.
  name: titled({ zh_CN: '工具', en: 'Tool' }, label(z.string())),
  arguments: titled({ zh_CN: '参数', en: 'Arguments' }, z.optional(z.unknown())),
});
