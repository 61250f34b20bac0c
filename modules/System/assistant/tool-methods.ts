import * as z from 'zod/mini';
import { AppError } from '#shared/errors/app-error.ts';
import type { Schema } from '#shared/http/route.ts';
import type { RpcMethods } from '#shared/http/rpc/answer-rpc.ts';
import { validate } from '#shared/i18n/validate.ts';
import { invokeTool } from '#shared/tools/invoke.ts';
import { listTools } from '#shared/tools/list-tools.ts';
import type { ToolCaller } from '#shared/tools/tool-call.ts';
import { chatInput } from './schema.ts';
import type { ChatCaller } from './tool-calls.ts';
import { toolCall } from './tool-schema.ts';

/** The method of `rpc` that costs what a chat costs. */
export const chatMethod = 'ai/chat';

/** The methods of `rpc` for one caller. */
export function createToolMethods(caller: ChatCaller): RpcMethods {
  const { tools } = caller;
  return {
    'tools/list': async (params) => {
      check(z.strictObject({}), params, caller);
      return { tools: listTools(tools) };
    },
    'tools/call': async (params) => {
      const call = check(toolCall, params, caller);
      const options = { ...caller, door: 'rpc', root: 'params.arguments' } as const;
      const { name, result, duration_ms } = await invokeTool(tools, call, options);
      return { name, result, duration_ms };
    },
    [chatMethod]: async (params) => {
      const input = check(chatInput, params, caller);
      // Only who chats pays for loading what it takes.
      const { chat } = await import('./chat.ts');
      return chat(input, caller);
    },
  };
}

/** @throws AppError `request.invalid` */
function check<S extends Schema>(schema: S, params: unknown = {}, { locale, t }: ToolCaller): z.output<S> {
  const { issues } = validate(schema, params, { root: 'params', locale, t });
  if (issues.length > 0) throw new AppError('request.invalid', { errors: issues });
  return z.parse(schema, params);
}
