import { AppError } from '#shared/errors/app-error.ts';
import { ObjectExistsError } from './engine.ts';

/** The error for an engine that cannot be reached, or refuses; `cause` is logged. */
export function unavailable(cause: unknown): AppError {
  return new AppError('storage.unavailable', { cause });
}

/** The error for an engine that lacks something; `what` is logged, and names settings, never their values. */
export function notConfigured(what: string): AppError {
  return new AppError('storage.not_configured', { cause: new Error(what) });
}

/**
 * What a work of an engine brings.
 *
 * @throws ObjectExistsError as it comes
 * @throws AppError `storage.unavailable` for every other failure
 */
export async function reportUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ObjectExistsError ? error : unavailable(error);
  }
}
