import { describe, expect, it } from '@jest/globals';
import { assertOwnInputs } from '#functions/stacks/assert-own-inputs.ts';

const inputs = (...files: string[]) =>
  new Map([['article-api-list', { inputs: ['shared/http/endpoint.ts', ...files], outputs: [] }]]);

describe('assertOwnInputs', () => {
  it('lets a stack hold its own module, and what all share', () => {
    expect(() => assertOwnInputs('article', inputs('modules/Article/articles/schema.ts'))).not.toThrow();
  });

  it.each(['aggregate', 'all'])('lets the stack %s hold every module', (stack) => {
    expect(() =>
      assertOwnInputs(stack, inputs('modules/Article/module.ts', 'modules/System/module.ts')),
    ).not.toThrow();
  });

  it.each(['article', 'core'])('refuses a file of another module in the stack %s', (stack) => {
    expect(() => assertOwnInputs(stack, inputs('modules/UserCenter/module.ts'))).toThrow(
      `article-api-list is deployed with ${stack} and holds modules/UserCenter/module.ts`,
    );
  });
});
