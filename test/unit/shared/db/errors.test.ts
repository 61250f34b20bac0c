import { describe, expect, test } from '@jest/globals';
import { cancellationCodes, toDatabaseError } from '#shared/db/errors.ts';

function sdkError(name: string, codes?: (string | undefined)[]): Error {
  const reasons = codes && { CancellationReasons: codes.map((Code) => ({ Code })) };
  return Object.assign(new Error(`message of ${name}`), { name, ...reasons });
}
const cancelled = (...codes: (string | undefined)[]) => sdkError('TransactionCanceledException', codes);

describe('cancellationCodes', () => {
  test('lists the reasons by write', () => {
    const codes = cancellationCodes(cancelled('None', 'ConditionalCheckFailed', undefined));

    expect(codes).toEqual(['None', 'ConditionalCheckFailed', 'None']);
  });

  test.each([
    undefined,
    'text',
    new Error('x'),
    sdkError('TransactionCanceledException'),
    sdkError('Other', ['None']),
  ])('lists none for %p', (error) => {
    expect(cancellationCodes(error)).toEqual([]);
  });
});

describe('toDatabaseError', () => {
  test('takes a failed condition of a single write for the first', () => {
    const cause = sdkError('ConditionalCheckFailedException');

    expect(toDatabaseError(cause)).toMatchObject({ name: 'ConditionError', failed: [0], cause });
  });

  test('names the writes of a transaction whose conditions failed', () => {
    const cause = cancelled(
      'None',
      'ConditionalCheckFailed',
      'TransactionConflict',
      'ConditionalCheckFailed',
    );

    expect(toDatabaseError(cause)).toMatchObject({ name: 'ConditionError', failed: [1, 3], cause });
  });

  test.each([sdkError('ResourceNotFoundException'), cancelled('ResourceNotFound', 'None')])(
    'takes a table that does not exist for a missing installation: %p',
    (cause) => {
      expect(toDatabaseError(cause)).toMatchObject({ code: 'database.not_installed', status: 503, cause });
    },
  );

  test.each([sdkError('ValidationException'), cancelled('None', 'ValidationError')])(
    'takes a request that the database finds wrong for a defect: %p',
    (cause) => {
      const error = toDatabaseError(cause);

      expect(error).not.toHaveProperty('code');
      expect(error).toMatchObject({ name: 'Error', cause });
    },
  );

  test.each([
    sdkError('TimeoutError'),
    sdkError('ProvisionedThroughputExceededException'),
    cancelled('TransactionConflict'),
    'no error at all',
    undefined,
  ])('takes everything else for a database that is away: %p', (cause) => {
    const error = toDatabaseError(cause);

    expect(error).toMatchObject({ code: 'database.unavailable', status: 503 });
    expect(error.cause).toBe(cause);
  });
});
