import { describeError } from '#shared/http/describe-error.ts';
import { type ToolCaller, toolOptions } from '#shared/http/tool-options.ts';
import type { ToolRegistry } from '#shared/tools/registry.ts';
import type { ChatContext } from './context.ts';

/** How the assistant works for the caller of a route. */
export function createChatContext(caller: ToolCaller & { tools: ToolRegistry }): ChatContext {
  const { admin, requestId, validate, remainingMs } = toolOptions(caller, 'chat', 'arguments');
  return {
    ...{ admin, requestId, validate, remainingMs },
    registry: caller.tools,
    describeError: (error) => describeError(error, caller.t),
  };
}
