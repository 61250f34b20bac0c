import { Recording } from '#shared/audit/recording.ts';
import { readRetentionDays } from '#shared/audit/retention.ts';
import { toAppError } from './answer.ts';
import type { RequestContext, Step } from './request-context.ts';
import type { Route } from './route.ts';

/** Records requests in the audit log. The step runs after the gates. */
export interface RequestAudit extends Step {
  /** Reads what entries need, in the tick of the gates. */
  prefetch?(): Promise<unknown>;
  /** Runs the handler: its first write takes the entry along. */
  run?<T>(context: RequestContext, handler: () => Promise<T>): Promise<T>;
}

/** @param action the route's permission, without its kind */
export const recordRequests =
  (action: string) =>
  ({ body, query, audit }: Route): RequestAudit => {
    const recordings = new WeakMap<RequestContext, Recording>();
    return {
      prefetch: () => readRetentionDays(),
      before({ internal: { context } }) {
        recordings.set(context, createRecording(context));
      },
      run(context, handler) {
        const recording = recordings.get(context) ?? createRecording(context);
        recording.input = body ? context.body : context.query;
        return recording.run(handler);
      },
      async onError({ error: thrown, internal: { context } }) {
        const error = toAppError(thrown);
        // Other refusals of gates are not recorded: the caller is not known, or came too often.
        const isDenied = error.code === 'auth.permission_denied';
        const recording = recordings.get(context) ?? (isDenied ? createRecording(context) : undefined);
        await recording?.fail(error);
      },
    };

    function createRecording({ caller, requestId, address }: RequestContext): Recording {
      const { id = null, account = null } = Object(caller.admin);
      return new Recording({
        actor: { kind: 'admin', id, account },
        ...{ channel: 'api', action, requestId, address, isLogin: audit === 'login' },
        ...(body ? { root: 'body', schema: body } : { root: 'query', schema: query }),
      });
    }
  };
