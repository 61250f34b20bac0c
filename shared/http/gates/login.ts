import { AppError } from '#shared/errors/app-error.ts';
import type { Gate, LoginOutcome, RequestContext } from '../request-context.ts';

/**
 * A gate that lets through whom `find` finds. Throttles that count by the login wait for its outcome.
 *
 * @param find throws what the gate refuses with, at once if it needs no read
 */
export function createLogin<Caller>(find: (context: RequestContext) => Promise<Caller>): Gate<Caller> {
  return (context) => {
    try {
      const finding = find(context);
      context.login = finding.then(() => 'accepted', toOutcome);
      return finding;
    } catch (error) {
      context.login = Promise.resolve(toOutcome(error));
      throw error;
    }
  };
}

function toOutcome(error: unknown): LoginOutcome {
  const isRefusal = error instanceof AppError && error.status < 500 && error.code !== 'auth.token_missing';
  return isRefusal ? 'refused' : 'failed';
}
