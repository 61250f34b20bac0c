import type { Recording } from '#shared/audit/recording.ts';
import { toAppError } from '#shared/errors/app-error.ts';
import type { RequestContext, Step } from './request-context.ts';
import type { Route } from './route.ts';

/** Records requests in the audit log. The step runs after the gates. */
export interface RequestAudit extends Step {
  /** Reads what entries need, in the tick of the gates. */
  prefetch?(): Promise<unknown>;
  /** Runs the handler: its first write takes the entry along. */
  run?<T>(context: RequestContext, handler: () => Promise<T>): Promise<T>;
}

// Loaded on first use, while the gates wait for the stores.
const load = () => import('#shared/audit/recording.ts');

/**
 * Records only that the route's permission was refused. Other refusals of gates are not recorded: the caller is not
 * known, or came too often.
 *
 * @param action the route's permission, without its kind
 */
export const recordRefusals =
  (action: string) =>
  (route: Route): RequestAudit => ({
    async onError({ error: thrown, internal: { context } }) {
      const error = toAppError(thrown);
      // A request that cannot be read is not a login.
      if (route.audit === 'login' && error.status < 500 && !/^o?auth\./.test(error.code)) return;
      // A refused tool records itself.
      const isDenied =
        error.code === 'auth.permission_denied' && error.errors?.[0]?.path.startsWith(`${action}:`);
      if (isDenied) context.recording ??= await start(action, route, context);
      await context.recording?.fail(error);
    },
  });

/**
 * Records the requests that pass the gates, and refusals of the permission.
 *
 * @param action the route's permission, without its kind
 */
export const recordRequests =
  (action: string) =>
  (route: Route): RequestAudit => ({
    ...recordRefusals(action)(route),
    prefetch: async () => (await load()).readRetentionDays(),
    async before({ internal: { context } }) {
      context.recording = await start(action, route, context);
    },
    run(context, handler) {
      const { recording } = context;
      if (!recording) return handler();
      recording.input = route.body ? context.body : context.query;
      return recording.run(handler);
    },
  });

async function start(
  action: string,
  { body, query, audit }: Route,
  { caller, requestId, address, remainingMs }: RequestContext,
): Promise<Recording> {
  const { Recording } = await load();
  const { id = null, account = null } = caller.admin ?? {};
  const isLogin = audit === 'login';
  return new Recording({
    actor: { kind: 'admin', id, account },
    ...{ channel: 'api', action, requestId, address, remainingMs, isLogin, onlyChanges: isLogin },
    ...(body ? { root: 'body', schema: body } : { root: 'query', schema: query }),
  });
}
