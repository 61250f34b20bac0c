import { AppError } from '#shared/errors/app-error.ts';
import type { Exchange, LoginOutcome } from '../exchange.ts';

/**
 * Starts the search for the caller of a request, and tells the exchange how it ends: throttles count by it.
 *
 * @returns what `find` returns
 * @throws what `find` throws
 */
export function watchLogin<Found>(exchange: Exchange, find: () => Promise<Found>): Promise<Found> {
  try {
    const finding = find();
    exchange.login = finding.then(() => 'accepted', toOutcome);
    return finding;
  } catch (error) {
    exchange.login = Promise.resolve(toOutcome(error));
    throw error;
  }
}

function toOutcome(error: unknown): LoginOutcome {
  const isRefusal = error instanceof AppError && error.status < 500 && error.code !== 'auth.token_missing';
  return isRefusal ? 'refused' : 'failed';
}
