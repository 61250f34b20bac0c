import { describe, expect, test } from '@jest/globals';
import { DynamoDbError, UnreachableError } from '#shared/db/dynamodb/dynamodb-error.ts';
import { toDatabaseError } from '#shared/db/errors.ts';

const refused = (name: string, status = 400) => new DynamoDbError(name, 'message', status);
const cancelled = (...codes: string[]) =>
  new DynamoDbError('TransactionCanceledException', 'cancelled', 400, codes);

test('takes a failed condition of a single write for the first', () => {
  const cause = refused('ConditionalCheckFailedException');

  expect(toDatabaseError(cause)).toMatchObject({ name: 'ConditionError', failed: [0], cause });
});

test('names the writes of a transaction whose conditions failed', () => {
  const cause = cancelled('None', 'ConditionalCheckFailed', 'TransactionConflict', 'ConditionalCheckFailed');

  expect(toDatabaseError(cause)).toMatchObject({ name: 'ConditionError', failed: [1, 3], cause });
});

test.each([refused('ResourceNotFoundException'), cancelled('ResourceNotFound', 'None')])(
  'takes a table that does not exist for a missing installation: %p',
  (cause) => {
    expect(toDatabaseError(cause)).toMatchObject({ code: 'database.not_installed', status: 503, cause });
  },
);

describe('a defect of ours', () => {
  test.each([
    ['a request that the database finds wrong', refused('ValidationException')],
    ['a caller whom the database does not let in', refused('AccessDeniedException')],
    ['a token that was used for other writes', refused('IdempotentParameterMismatchException')],
    ['a transaction with a write that is wrong', cancelled('None', 'ValidationError')],
    ['what was never sent', new TypeError('Unsupported type passed')],
    ['what is no error', 'no error at all'],
    ['nothing', undefined],
  ])('is %s', (_, cause) => {
    const error = toDatabaseError(cause);

    expect(error).not.toHaveProperty('code');
    expect(error).toMatchObject({ name: 'Error', message: 'the database refused a request' });
    expect(error.cause).toBe(cause);
  });
});

describe('a database that is unavailable', () => {
  test.each([
    ['was not reached', new UnreachableError('no answer')],
    ['failed', refused('InternalServerError', 500)],
    ['cannot answer now', refused('ServiceUnavailable', 503)],
    ['was asked for more than the table takes', refused('ProvisionedThroughputExceededException')],
    ['was asked for more than the account may', refused('RequestLimitExceeded')],
    ['was asked for too much of one kind', refused('ThrottlingException')],
    ['was asked for a transaction that is more than the table takes', cancelled('None', 'ThrottlingError')],
    ['was asked for a transaction beyond what was provisioned', cancelled('ProvisionedThroughputExceeded')],
    ['was asked for an item that other transactions never leave', refused('TransactionConflictException')],
    ['was asked for items that other transactions never leave', cancelled('None', 'TransactionConflict')],
    ['was asked for a transaction that is still under way', refused('TransactionInProgressException')],
  ])('%s', (_, cause) => {
    expect(toDatabaseError(cause)).toMatchObject({ code: 'database.unavailable', status: 503, cause });
  });
});
