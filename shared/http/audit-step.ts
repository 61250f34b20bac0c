import { describeActor } from '#shared/audit/actor.ts';
import type { Recording } from '#shared/audit/recording.ts';
import { toAppError } from '#shared/errors/app-error.ts';
import { measureBody, readBody } from './body/json.ts';
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
 * Records only that the route's permission was refused, that an API token was used outside of its scope, or that a second
 * factor was not recent. Other
 * refusals of gates are not recorded: the caller is not known, or came too often.
 *
 * @param action the route's permission, without its kind
 * @param target the record that the body names, as a pattern: `article:{id}`
 */
export const recordRefusals =
  (action: string, target?: string) =>
  (route: Route): RequestAudit => ({
    async onError({ error: thrown, context: { request } }) {
      const error = toAppError(thrown);
      // A request that cannot be read is not a login.
      if (route.audit === 'login' && error.status < 500 && !/^o?auth\./.test(error.code)) return;
      // A refused tool records itself.
      const isDenied =
        (error.code === 'auth.permission_denied' && error.errors?.[0]?.path.startsWith(`${action}:`)) ||
        error.code === 'auth.factor_required' ||
        (error.code === 'auth.scope_insufficient' && request.principal?.tokenId !== undefined);
      if (isDenied) request.recording ??= await start({ action, target }, route, request);
      if (request.recording) request.recording.given = readGiven(request);
      await request.recording?.fail(error);
    },
  });

/**
 * Records the requests that pass the gates, and refusals of the permission.
 *
 * @param action the route's permission, without its kind
 * @param target the record that the body names, as a pattern: `article:{id}`
 */
export const recordRequests =
  (action: string, target?: string) =>
  (route: Route): RequestAudit => ({
    ...recordRefusals(action, target)(route),
    prefetch: async () => (await load()).readRetentionDays(),
    async before({ context: { request } }) {
      request.recording = await start({ action, target }, route, request);
    },
    run(context, handler) {
      const { recording } = context;
      if (!recording) return handler();
      recording.given = readGiven(context);
      recording.input = route.body ? context.body : context.query;
      return recording.run(handler);
    },
  });

/** Largest body of a refused request that is read for its record, in bytes: that of a route behind a login. */
const mostBytes = 1024 * 1024;

/** The body as sent. The gates may have refused the request before it was parsed. */
function readGiven({ event }: RequestContext): unknown {
  // The parser replaces the text with its value.
  const body: unknown = event.body;
  if (typeof body !== 'string') return body;
  try {
    return measureBody(event) <= mostBytes ? JSON.parse(readBody(event)) : undefined;
  } catch {
    return undefined; // It names no record.
  }
}

async function start(
  names: { action: string; target: string | undefined },
  { body, query, audit }: Route,
  { principal, requestId, address, remainingMs }: RequestContext,
): Promise<Recording> {
  const { Recording } = await load();
  const { admin = { id: null, account: null }, ...used } = principal ?? {};
  const isLogin = audit === 'login';
  return new Recording({
    actor: describeActor({ admin, ...used }),
    ...names,
    channel: 'api',
    requestId,
    address,
    remainingMs,
    isLogin,
    onlyChanges: isLogin,
    ...(body ? { root: 'body', schema: body } : { root: 'query', schema: query }),
  });
}
