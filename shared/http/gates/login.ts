import { AppError } from '#shared/errors/app-error.ts';
import type { Gate, LoginOutcome, RequestContext } from '../request-context.ts';

/**
 * Creates a gate that requires a caller. Throttles that count by the login wait for its outcome.
 *
 * @param find returns the caller or throws; synchronously if it needs no read
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
