import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { checkStrings } from './check-strings.ts';

const root = resolve(__dirname, '../..');

test('no source depends on another by a text', () => {
  const files = globSync('{shared,modules,functions,cli}/**/*.ts', { cwd: root });
  const sources = files.map((file) => [file, readFileSync(join(root, file), 'utf8')]);

  const problems = checkStrings(Object.fromEntries(sources));

  expect(problems).toEqual([]);
});

describe('checkStrings', () => {
  test.each([
    [
      'an export in shared named after a capability',
      'shared/a.ts',
      'export const articleKey = 1;',
      'article',
    ],
    ['a text in shared that names a capability', 'shared/a.ts', `const kind = 'sms_code';`, 'sms'],
  ])('reports %s', (_title, file, source, name) => {
    expect(checkStrings({ [file]: source })).toEqual([`${file} names ${name}, which belongs to a module`]);
  });

  test.each([
    ['/adminapi/system/login/account', 'const url = "/adminapi/system/login/account";'],
    ['http://localhost/mcp/service', "new URL('http://localhost/mcp/service');"],
    ['/api/shop/', "const url = '/api/shop/' + id;"],
  ])('reports the URL of a module in shared: %s', (url, source) => {
    expect(checkStrings({ 'shared/a.ts': source })).toEqual([
      `shared/a.ts spells ${url}, the URL of a module`,
    ]);
  });

  test.each([
    ['shared/http/gates/', "const isGate = file.startsWith('shared/http/gates/');"],
    ['/modules/', "const isModule = file.includes('/modules/');"],
    ['modules\\/', 'const [, name] = /^modules\\/(\\w+)/.exec(file) ?? [];'],
  ])('reports a test of a path: %s', (path, source) => {
    expect(checkStrings({ 'cli/a.ts': source })).toEqual([
      `cli/a.ts tests a path for ${path}: declare what has to be known`,
    ]);
  });

  test('reports a file of cli in functions', () => {
    expect(checkStrings({ 'functions/a.ts': "const handler = 'cli/reference/serve.handler';" })).toEqual([
      'functions/a.ts names cli/reference/serve.handler: functions/ may not know cli',
    ]);
  });

  test('ignores comments, and lets modules name their own features', () => {
    const sources = {
      'shared/a.ts': '// An article, as `/api/article/list` answers it.\nexport const a = 1;',
      'modules/System/a.ts': "const url = '/api/article/list'; const articles = [];",
      'cli/a.ts': "const file = join('modules/', name);",
    };

    expect(checkStrings(sources)).toEqual([]);
  });
});
