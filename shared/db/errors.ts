import { AppError } from '#shared/errors/app-error.ts';
import { DynamoDbError, UnreachableError } from './dynamodb/dynamodb-error.ts';

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

/**
 * What a failed call of the database means to the callers of `shared/db`.
 *
 * @returns {@link ConditionError} for a condition, an AppError `database.*` for what is away or not there, a plain
 *   Error for a defect of ours; each with the cause inside
 */
export function toDatabaseError(error: unknown): Error {
  if (error instanceof UnreachableError) return new AppError('database.unavailable', { cause: error });
  const meaning = error instanceof DynamoDbError ? toMeaning(error) : undefined;
  // What was never sent, or what the database finds wrong, is a defect of ours, not its absence.
  return meaning ?? new Error('the database refused a request', { cause: error });
}

/** Undefined for what the database finds wrong. */
function toMeaning(cause: DynamoDbError): Error | undefined {
  const { name, status, cancellationCodes: codes } = cause;
  if (name === 'ConditionalCheckFailedException') return new ConditionError([0], cause);
  if (codes.includes('ConditionalCheckFailed')) {
    const failed = codes.flatMap((code, index) => (code === 'ConditionalCheckFailed' ? [index] : []));
    return new ConditionError(failed, cause);
  }
  if (name === 'ResourceNotFoundException' || codes.includes('ResourceNotFound')) {
    return new AppError('database.not_installed', { cause });
  }
  const isUnavailable = status >= 500 || isOverload(name) || codes.some(isOverload);
  return isUnavailable ? new AppError('database.unavailable', { cause }) : undefined;
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
