import { describe, expect, it } from '@jest/globals';
import { checkBundles } from '#functions/bundle/check-bundles.ts';
import { projectRoot } from '../../../support/local-server.ts';
import { foundModule } from '../fixtures.ts';

const article = { name: 'Article', title: { zh_CN: '文章', en: 'Article' }, version: '1.0.0' };
const modules = [
  foundModule('System'),
  foundModule('Article', { manifest: { ...article, requires: ['System'] } }),
  foundModule('UserCenter'),
];

/** Checks a bundle of the stack that holds these files and shared code. */
const check = (stack: string, ...files: string[]) => {
  const inputs = ['shared/http/endpoint.ts', ...files];
  const report = { inputs, packages: new Set<string>(), outputs: [], sources: [] };
  checkBundles(projectRoot, stack, modules, new Map([['article-api-list', report]]));
};

describe('checkBundles', () => {
  it('lets a stack hold its own module, required modules and shared code', () => {
    const files = ['modules/Article/articles/schema.ts', 'modules/System/public/users.ts'];

    expect(() => check('article', ...files)).not.toThrow();
  });

  it.each(['aggregate', 'all'])('lets the stack %s hold every module', (stack) => {
    const files = ['modules/Article/module.ts', 'modules/UserCenter/module.ts'];

    expect(() => check(stack, ...files)).not.toThrow();
  });

  it.each(['article', 'core'])('refuses a file of another module in the stack %s', (stack) => {
    expect(() => check(stack, 'modules/UserCenter/module.ts')).toThrow(
      `article-api-list is deployed with ${stack} and holds modules/UserCenter/module.ts`,
    );
  });

  it('refuses a file of a module that is not enabled', () => {
    expect(() => check('article', 'modules/Shop/module.ts')).toThrow('holds modules/Shop/module.ts');
  });
});
