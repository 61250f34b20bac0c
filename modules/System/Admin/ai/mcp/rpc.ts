import * as z from 'zod/mini';
import { describeActor } from '#shared/audit/actor.ts';
import { Recording } from '#shared/audit/recording.ts';
import { assertPermitted, type Permission } from '#shared/auth/permission.ts';
import { AppError, toAppError } from '#shared/errors/app-error.ts';
import { jsonText, measureBody, readBody } from '#shared/http/body/json.ts';
import { rawAnswer } from '#shared/http/raw-answer.ts';
import { admin } from '#shared/http/route.ts';
import { validate } from '#shared/i18n/validate.ts';
import type { Schema } from '#shared/schema/definition.ts';
import { invokeTool } from '#shared/tools/invoke.ts';
import { listTools } from '#shared/tools/list-tools.ts';
import {
  answerRpc,
  type RpcMethods,
  readMethod,
  rpcRequest,
  rpcResponse,
} from '../../../assistant/mcp/rpc.ts';
import { chatInput, toolCall } from '../../../assistant/schema.ts';
import type { ChatCaller } from '../../../assistant/tool-calls.ts';

const bodyLimitBytes = 256 * 1024;
const chatMethod = 'ai/chat';

export default admin.post({
  summary: {
    zh_CN: '以 JSON-RPC 使用 MCP 工具和助手',
    en: 'Use the MCP tools and the assistant by JSON-RPC',
  },
  parser: jsonText,
  bodyLimitBytes,
  body: z.strictObject({ text: z.string() }),
  data: rawAnswer,
  middleware: ['throttle:ai'],
  // Only chats are throttled. A body above the limit is not parsed here; it is refused after the gates.
  isThrottled: (event) => measureBody(event) <= bodyLimitBytes && readMethod(readBody(event)) === chatMethod,
  needs: ['tools'],
  asksFor: ['chat'],
  audit: 'tools',
  limits: { timeoutSeconds: 29 },
  reference: {
    body: rpcRequest,
    answers: [
      {
        status: 200,
        description: { zh_CN: 'JSON-RPC 2.0 响应', en: 'JSON-RPC 2.0 response' },
        contentType: 'application/json',
        schema: rpcResponse,
      },
      { status: 204, description: { zh_CN: '通知没有响应', en: 'No response to a notification' } },
    ],
  },
  handler: (context) => {
    const { body, request, locale, texts } = context;
    return answerRpc(body.text, createMethods(context), { locale, texts, requestId: request.id });
  },
});

interface RpcCaller extends ChatCaller {
  permissionOf(name: string): Permission;
}

function createMethods(caller: RpcCaller): RpcMethods {
  const { tools, admin } = caller;
  return {
    'tools/list': async (params) => {
      check(z.strictObject({}), params);
      return { tools: await listTools(tools, admin) };
    },
    'tools/call': async (params) => {
      const call = check(toolCall, params);
      const options = { ...caller, channel: 'rpc', root: 'params.arguments' } as const;
      const { name, result, duration_ms } = await invokeTool(tools, call, options);
      return { name, result, duration_ms };
    },
    [chatMethod]: (params) => runChat(params, caller),
  };
}

/** Runs a chat as its own route does: the caller needs the permission of that route too, and the log names it. */
async function runChat(params: unknown, caller: RpcCaller) {
  const { admin, request } = caller;
  const permission = caller.permissionOf('chat');
  const recording = new Recording({
    actor: describeActor(caller),
    channel: 'api',
    action: permission.path,
    requestId: request.id,
    address: request.address,
    root: 'params',
    schema: chatInput,
  });
  try {
    assertPermitted(admin, permission);
    const input = check(chatInput, params);
    recording.input = input;
    // Loaded on first use: the other methods do not need it.
    const { chat } = await import('../../../assistant/chat.ts');
    return await recording.run(() => chat(input, caller));
  } catch (error) {
    await recording.fail(toAppError(error));
    throw error;
  }
}

/** @throws AppError `request.invalid` */
function check<S extends Schema>(schema: S, params: unknown = {}): z.output<S> {
  const { value, issues } = validate(schema, params, 'params');
  if (issues) throw new AppError('request.invalid', { errors: issues });
  return value;
}
