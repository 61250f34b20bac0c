import { expect, test } from '@jest/globals';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { describeDatabase } from './database.contract.ts';

if (findDynoxide()) {
  describeDatabase('dynoxide');
} else {
  test('dynoxide is not installed on this platform, so the contract is not run on it', () => {
    expect(findDynoxide()).toBeUndefined();
  });
}
