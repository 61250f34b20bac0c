import { describe, expect, it } from '@jest/globals';
import { assertFits } from '#cli/framework/account.ts';

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`Function${index}`, {}]));

describe('a stack with more resources than AWS allows', () => {
  it('is refused with the command that deploys the service in parts', () => {
    expect(() => assertFits({ stage: 'test', stack: 'all' }, many(501))).toThrow(
      'The whole service does not fit into one stack: 501 resources, and AWS allows 500. Deploy one stack for each module: npm run deploy -- --stage test',
    );
    expect(() => assertFits({ stage: 'test', stack: 'all' }, many(500))).not.toThrow();
  });

  it('is named, if it is that of a module', () => {
    expect(() => assertFits({ stage: 'test', stack: 'shop' }, many(501))).toThrow('of the stack shop');
  });
});
