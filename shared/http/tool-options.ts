import type { ToolDoor } from '#shared/tools/mcp-tool.ts';
import type { InvokeOptions } from '#shared/tools/tool-call.ts';
import type { AdminCaller, BaseContext } from './route.ts';
import { validate } from './validate.ts';

/** What of a handler's context a tool is called with. */
export type ToolCaller = Pick<AdminCaller, 'admin'> &
  Pick<BaseContext<unknown, unknown, unknown>, 'request' | 'locale' | 't'>;

/**
 * How a route calls tools for its caller.
 *
 * @param root what the paths of wrong arguments begin with
 */
export function toolOptions(caller: ToolCaller, door: ToolDoor, root: string): InvokeOptions {
  const { admin, request, locale, t } = caller;
  return {
    door,
    admin,
    requestId: request.id,
    root,
    validate: (schema, value, at) => validate(schema, value, { root: at, locale, t }),
    remainingMs: request.remainingMs,
  };
}
