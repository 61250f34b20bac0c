import { DynamoDbError, UnreachableError } from './dynamodb-error.ts';

/** How often a request is sent in all. */
const tries = 3;

/** Names of errors that DynamoDB calls the client's fault, and time mends. */
const throttles = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TransactionInProgressException',
]);

/** Most milliseconds before the second try, as in the SDKs of AWS; doubled before the third. */
const pauseMs = { throttled: 500, failed: 100 };

/** Sends again what failed for a reason that passes, after a random pause that grows. */
export async function withRetries<T>(send: () => Promise<T>): Promise<T> {
  for (let sent = 1; ; sent += 1) {
    try {
      return await send();
    } catch (error) {
      const most = longestPause(error);
      if (most === undefined || sent === tries) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * most * 2 ** (sent - 1)));
    }
  }
}

/** Undefined where another try would end alike. */
function longestPause(error: unknown): number | undefined {
  if (error instanceof UnreachableError) return pauseMs.failed;
  if (!(error instanceof DynamoDbError)) return undefined;
  if (throttles.has(error.name) || error.status === 429) return pauseMs.throttled;
  return error.status >= 500 ? pauseMs.failed : undefined;
}
