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

/** The fields of the SDK's errors, and of errors of the network that it passes on. */
interface SdkError extends Error {
  $metadata?: { httpStatusCode?: number };
  $fault?: 'client' | 'server';
  /** Of an error of the network. */
  code?: string;
  /** Of a cancelled transaction, by write. */
  CancellationReasons?: { Code?: string }[];
}

/** The reasons why a transaction was cancelled, by write; empty for any other error. */
export function cancellationCodes(error: unknown): string[] {
  const { name, CancellationReasons = [] }: Partial<SdkError> = error instanceof Error ? error : {};
  if (name !== 'TransactionCanceledException') return [];
  return CancellationReasons.map(({ Code = 'None' }) => Code);
}

/**
 * What a failed call of the database means to the callers of `shared/db`.
 *
 * @returns {@link ConditionError} for a condition, an AppError `database.*` if the database or its table is not there,
 *   a plain Error for a defect of ours; each with the cause inside
 */
export function toDatabaseError(cause: unknown): Error {
  const codes = cancellationCodes(cause);
  const { name = '' }: Partial<Error> = cause instanceof Error ? cause : {};
  if (name === 'ConditionalCheckFailedException') return new ConditionError([0], cause);
  if (codes.includes('ConditionalCheckFailed')) {
    const failed = codes.flatMap((code, index) => (code === 'ConditionalCheckFailed' ? [index] : []));
    return new ConditionError(failed, cause);
  }
  if (name === 'ResourceNotFoundException' || codes.includes('ResourceNotFound')) {
    return new AppError('database.not_installed', { cause });
  }
  if (codes.some(isOverload) || isOverload(name) || isAbsence(cause)) {
    return new AppError('database.unavailable', { cause });
  }
  // The request was never sent, or the database finds it wrong: a defect of ours.
  return new Error('the database refused a request', { cause });
}

/** True if no answer came, or one that is not DynamoDB's, or a failure of the server. */
function isAbsence(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { $metadata, $fault, code }: SdkError = error;
  const wasSent = $metadata !== undefined || code !== undefined;
  return wasSent && ($fault !== 'client' || Number($metadata?.httpStatusCode) >= 500);
}

/** Errors, and codes of cancellations, that DynamoDB calls the client's fault but that pass with time. */
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
