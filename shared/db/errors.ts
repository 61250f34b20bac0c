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
  $fault?: 'client' | 'server';
  $metadata?: { httpStatusCode?: number };
  /** Of an error of the network. */
  code?: string;
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
  if (isUnavailable(error) || codes.some(isOverload)) {
    return new AppError('database.unavailable', { cause: error });
  }
  // What was never sent, or what the database finds wrong, is a defect of ours, not its absence.
  return new Error('the database refused a request', { cause: error });
}

/** True for a database that was not reached, failed, or had too much to do. */
function isUnavailable({ name, $metadata, $fault, code }: SdkError): boolean {
  const wasSent = $metadata !== undefined || code !== undefined;
  return wasSent && ($fault !== 'client' || isOverload(name) || $metadata?.httpStatusCode === 503);
}

/** Names of errors, and codes of cancellations, that DynamoDB calls the client's fault, and time mends. */
const overloads = new Set([
  'ProvisionedThroughputExceededException',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
  'ThrottlingException',
  'ThrottlingError',
  'TransactionConflictException',
  'TransactionConflict',
  'TransactionInProgressException',
]);

const isOverload = (name: string): boolean => overloads.has(name);
