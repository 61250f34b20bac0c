import { describe, expect, it } from '@jest/globals';
import { assertOwnInputs } from '#functions/check-bundles.ts';

const modules = [{ name: 'System' }, { name: 'Article', requires: ['System'] }, { name: 'UserCenter' }];
const inputs = (...files: string[]) =>
  new Map([
    [
      'article-api-list',
      { inputs: ['shared/http/endpoint.ts', ...files], packages: new Set<string>(), outputs: [] },
    ],
  ]);

describe('assertOwnInputs', () => {
  it('lets a stack hold its own module, required modules and shared code', () => {
    const files = inputs('modules/Article/articles/schema.ts', 'modules/System/public/users.ts');

    expect(() => assertOwnInputs('article', modules, files)).not.toThrow();
  });

  it.each(['aggregate', 'all'])('lets the stack %s hold every module', (stack) => {
    const files = inputs('modules/Article/module.ts', 'modules/UserCenter/module.ts');

    expect(() => assertOwnInputs(stack, modules, files)).not.toThrow();
  });

  it.each(['article', 'core'])('refuses a file of another module in the stack %s', (stack) => {
    expect(() => assertOwnInputs(stack, modules, inputs('modules/UserCenter/module.ts'))).toThrow(
      `article-api-list is deployed with ${stack} and holds modules/UserCenter/module.ts`,
    );
  });
});
