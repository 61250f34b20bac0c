import { AppError } from '#shared/errors/app-error.ts';

/** A condition of a write did not hold; nothing was written. */
export class ConditionError extends Error {
  override readonly name = 'ConditionError';
  /** Indexes of the writes of a transaction whose conditions failed; `[0]` for a single write. */
  readonly failed: readonly number[];

  constructor(failed: readonly number[], cause: unknown) {
    super(`condition failed at ${failed.join()}`, { cause });
    this.failed = failed;
  }
}

interface SdkError {
  name: string;
  CancellationReasons?: { Code?: string }[];
}

const isSdkError = (error: unknown): error is SdkError => error instanceof Error;

/** The reasons for which a transaction was cancelled, by write; empty for any other error. */
export function cancellationCodes(error: unknown): string[] {
  if (!isSdkError(error) || error.name !== 'TransactionCanceledException') return [];
  return (error.CancellationReasons ?? []).map((reason) => reason.Code ?? 'None');
}

/**
 * What a failed call of the database means to the callers of `shared/db`.
 *
 * @returns {@link ConditionError} for a condition, else an AppError `database.*` with the cause inside
 */
export function toDatabaseError(error: unknown): Error {
  if (!isSdkError(error)) return new AppError('database.unavailable', { cause: error });
  if (error.name === 'ConditionalCheckFailedException') return new ConditionError([0], error);
  const codes = cancellationCodes(error);
  if (codes.includes('ConditionalCheckFailed')) {
    const failed = codes.flatMap((code, index) => (code === 'ConditionalCheckFailed' ? [index] : []));
    return new ConditionError(failed, error);
  }
  if (error.name === 'ResourceNotFoundException' || codes.includes('ResourceNotFound')) {
    return new AppError('database.not_installed', { cause: error });
  }
  // A request the database finds wrong is a defect of ours, not its absence.
  if (error.name === 'ValidationException' || codes.includes('ValidationError')) return toError(error);
  return new AppError('database.unavailable', { cause: error });
}

const toError = (error: SdkError): Error => new Error('the database refused a request', { cause: error });
