import {
  DynamoDBServiceException,
  InternalServerError,
  ProvisionedThroughputExceededException,
  RequestLimitExceeded,
  ThrottlingException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { cancellationCodes, toDatabaseError } from '#shared/db/errors.ts';

/** Metadata of the SDK's tries. */
const $metadata = { attempts: 3 };
const refused = { message: 'refused', $metadata: { ...$metadata, httpStatusCode: 400 } };
const answered = (name: string, httpStatusCode = 400) =>
  new DynamoDBServiceException({ name, $fault: 'client', $metadata: { ...$metadata, httpStatusCode } });
const cancelled = (...codes: (string | undefined)[]) =>
  new TransactionCanceledException({ ...refused, CancellationReasons: codes.map((Code) => ({ Code })) });

describe('cancellationCodes', () => {
  test('lists the reasons by write', () => {
    const codes = cancellationCodes(cancelled('None', 'ConditionalCheckFailed', undefined));

    expect(codes).toEqual(['None', 'ConditionalCheckFailed', 'None']);
  });

  test.each([
    undefined,
    'text',
    new Error('x'),
    new TransactionCanceledException(refused),
    answered('Other'),
  ])('is empty for %p', (error) => {
    expect(cancellationCodes(error)).toEqual([]);
  });
});

test('names the first write for a failed condition of a single write', () => {
  const cause = answered('ConditionalCheckFailedException');

  expect(toDatabaseError(cause)).toMatchObject({ name: 'ConditionError', failed: [0], cause });
});

test('names the writes of a transaction whose conditions failed', () => {
  const cause = cancelled('None', 'ConditionalCheckFailed', 'TransactionConflict', 'ConditionalCheckFailed');

  expect(toDatabaseError(cause)).toMatchObject({ name: 'ConditionError', failed: [1, 3], cause });
});

test.each([answered('ResourceNotFoundException'), cancelled('ResourceNotFound', 'None')])(
  'reports a missing table as a missing installation: %p',
  (cause) => {
    expect(toDatabaseError(cause)).toMatchObject({ code: 'database.not_installed', status: 503, cause });
  },
);

test.each([
  ['a request that the database finds wrong', answered('ValidationException')],
  ['a caller that may not use the database', answered('AccessDeniedException')],
  ['a token that was used for other writes', answered('IdempotentParameterMismatchException')],
  ['a transaction with a write that is wrong', cancelled('None', 'ValidationError')],
  ['a request that was never sent', new TypeError('Unsupported type passed')],
  ['a thrown text', 'not an error'],
  ['a thrown undefined', undefined],
])('reports %s as a defect', (_, cause) => {
  const error = toDatabaseError(cause);

  expect(error).not.toHaveProperty('code');
  expect(error.name).toBe('Error');
  expect(error.message).toBe(
    cause instanceof Error
      ? `the database refused a request (${cause.name})`
      : 'the database refused a request',
  );
  expect(error.cause).toBe(cause);
});

test.each([
  ['refuses connections', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
  ['is not found', Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND', $metadata })],
  ['does not answer', Object.assign(new Error('timeout'), { name: 'TimeoutError', $metadata })],
  ['failed', new InternalServerError({ message: '', $metadata: { httpStatusCode: 500 } })],
  ['cannot answer now', answered('ServiceUnavailable', 503)],
  ['is behind a proxy that answers for it', Object.assign(new SyntaxError('<html>'), { $metadata })],
])('reports a database that %s as unavailable', (_, cause) => {
  expect(toDatabaseError(cause)).toMatchObject({ code: 'database.unavailable', status: 503, cause });
});

// The SDK calls these the client's fault, but they pass with time.
test.each([
  ['more than the table takes', new ProvisionedThroughputExceededException(refused)],
  ['more than the account may', new RequestLimitExceeded(refused)],
  ['too much of one kind', new ThrottlingException(refused)],
  ['a transaction that is more than the table takes', cancelled('None', 'ThrottlingError')],
  ['a transaction beyond what was provisioned', cancelled('ProvisionedThroughputExceeded')],
  ['an item that other transactions hold', new TransactionConflictException(refused)],
  ['items that other transactions hold', cancelled('None', 'TransactionConflict')],
  ['a transaction that is still under way', new TransactionInProgressException(refused)],
])('reports a database with too much %s as unavailable', (_, cause) => {
  expect(toDatabaseError(cause)).toMatchObject({ code: 'database.unavailable', status: 503, cause });
});
