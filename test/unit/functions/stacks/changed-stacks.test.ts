import { describe, expect, it } from '@jest/globals';
import { listChangedStacks } from '#functions/stacks/changed-stacks.ts';

const stacks = ['core', 'article', 'system', 'user-center', 'aggregate'];

describe('listChangedStacks', () => {
  it.each<[string, string[], string[]]>([
    ['a module', ['modules/UserCenter/Api/profile.ts'], ['user-center', 'aggregate']],
    [
      'two modules',
      ['modules/System/module.ts', 'modules/Article/module.ts'],
      ['article', 'system', 'aggregate'],
    ],
    ['what all share', ['shared/http/endpoint.ts'], stacks],
    ['the list of modules', ['modules/modules.json'], stacks],
    ['the dependencies', ['package-lock.json'], stacks],
    ['the template', ['serverless.yml'], stacks],
    ['the generator', ['functions/entry.ts', 'docs/deploy.md'], stacks],
    ['nothing that runs', ['docs/deploy.md', 'README.md', 'test/e2e/cors.test.ts', 'cli/deploy.ts'], []],
    ['nothing', [], []],
    ['a module that is gone', ['modules/Shop/module.ts'], ['aggregate']],
  ])('for %s', (_name, files, expected) => {
    expect(listChangedStacks(files, stacks)).toEqual(expected);
  });
});
