/** DynamoDB answered that it did not do what it was asked; `name` is its own, such as `ValidationException`. */
export class DynamoDbError extends Error {
  override readonly name: string;
  /** Of the HTTP response. */
  readonly status: number;
  /** Why a transaction was cancelled, by write: `None`, `ConditionalCheckFailed`, …; empty for other errors. */
  readonly cancellationCodes: readonly string[];

  constructor(name: string, message: string, status: number, cancellationCodes: readonly string[] = []) {
    super(message);
    this.name = name;
    this.status = status;
    this.cancellationCodes = cancellationCodes;
  }
}

/** DynamoDB was not reached, did not answer in time, or something else answered in its place. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}
