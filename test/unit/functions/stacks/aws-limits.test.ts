import { describe, expect, it } from '@jest/globals';
import { assertFits } from '#cli/framework/account.ts';
import { listExcesses } from '#functions/stacks/limits.ts';

const many = (count: number, Type: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${Type}${index}`, { Type }]));
const integrations = (count: number) => many(count, 'AWS::ApiGatewayV2::Integration');
const routes = (count: number) => many(count, 'AWS::ApiGatewayV2::Route');

describe('what AWS allows', () => {
  it('takes a template at its limits', () => {
    expect(listExcesses({ ...integrations(300), ...many(200, 'AWS::Lambda::Function') })).toEqual([]);
    expect(listExcesses(routes(300))).toEqual([]);
  });

  it('names each limit that is exceeded, with both numbers', () => {
    expect(listExcesses({ ...integrations(301), ...routes(302) })).toEqual([
      '603 resources of 500',
      '301 integrations of 300',
      '302 routes of 300',
    ]);
  });
});

describe('a service that does not fit', () => {
  it('is refused with the command that deploys it in parts', () => {
    expect(() => assertFits({ stage: 'test', stack: 'all' }, integrations(301))).toThrow(
      'AWS allows less: 301 integrations of 300. Deploy one stack for each module: npm run deploy -- --stage test',
    );
  });

  it('names the stack of a module', () => {
    expect(() => assertFits({ stage: 'test', stack: 'shop' }, routes(301))).toThrow('of the stack shop');
    expect(() => assertFits({ stage: 'test', stack: 'shop' }, routes(300))).not.toThrow();
  });
});
