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

/** Fields of the SDK's errors, and of network errors that it passes on. */
interface SdkError extends Error {
  $metadata?: { httpStatusCode?: number };
  $fault?: 'client' | 'server';
  /** Set for a network error. */
  code?: string;
  /** Set for a cancelled transaction, by write. */
  CancellationReasons?: { Code?: string }[];
}

/** The reasons why a transaction was cancelled, by write; empty for any other error. */
export function cancellationCodes(error: unknown): string[] {
  const { name, CancellationReasons = [] }: Partial<SdkError> = error instanceof Error ? error : {};
  if (name !== 'TransactionCanceledException') return [];
  return CancellationReasons.map(({ Code = 'None' }) => Code);
}

/**
 * Converts an error of the SDK: to {@link ConditionError} for a failed condition, to an AppError `database.*` if the
 * database or its table is not available, to a plain Error for a defect of this service.
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
  // The request was not sent, or is not valid: a defect of this service.
  return new Error(`the database refused a request${name && ` (${name})`}`, { cause });
}

/** Whether the answer is missing, not from DynamoDB, or a failure of the server. */
function isAbsence(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { $metadata, $fault, code }: SdkError = error;
  const wasSent = $metadata !== undefined || code !== undefined;
  return wasSent && ($fault !== 'client' || Number($metadata?.httpStatusCode) >= 500);
}

/** Errors and cancellation codes that DynamoDB calls the client's fault, but that pass with time. */
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
