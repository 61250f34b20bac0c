import { posix } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { checkImports, type Sources } from './check-imports.ts';

/** Ways to import a file. */
const forms = {
  named: (file: string) => `import { x } from '${file}';`,
  type: (file: string) => `import type { X } from '${file}';`,
  bare: (file: string) => `import '${file}';`,
  dynamic: (file: string) => `const load = () => import('${file}');`,
  exported: (file: string) => `export { x } from '${file}';`,
  all: (file: string) => `export * from '${file}';`,
};

/** An import that a file may not have, and why. */
const wrongImports: [from: string, to: string, reason: string, form?: keyof typeof forms][] = [
  ['shared/dict/a.ts', '#modules/System/data/x.ts', 'shared/ may not know modules'],
  ['shared/http/a.ts', '../../functions/model.ts', 'shared/ may not know functions', 'type'],
  ['shared/db/a.ts', '#cli/install.ts', 'shared/ may not know cli', 'dynamic'],
  ['shared/db/a.ts', '../../esbuild.config.ts', 'shared/ may not know files of the root'],
  ['cli/a.ts', '../test/support/environment.ts', 'cli/ may not know test', 'bare'],
  ['modules/System/a.ts', '#functions/discover/discover.ts', 'modules/ may not know functions', 'exported'],
  ['modules/System/a.ts', '#cli/install.ts', 'modules/ may not know cli', 'all'],
  ['modules/Shop/Console/a.ts', '#functions/console/description.ts', 'modules/ may not know functions'],
  ['modules/Shop/a.ts', '#console/kit/context.ts', 'modules/ may not know console'],
  ['modules/Shop/a.ts', './Console/shop/x.ts', 'only pages know pages'],
  ['modules/Shop/Console/a.ts', '#console/shell/pages.ts', 'console/shell is not for pages'],
  [
    'console/fields/text/a.vue',
    '../../kit/files/media-picker.vue',
    'console/kit is not below console/fields',
    'dynamic',
  ],
  ['console/base/a.ts', '../fields/kinds.ts', 'console/fields is not below console/base', 'type'],
  ['console/attic/a.ts', '../base/locale.ts', 'console/attic has no floor, give it one here'],
  ['console/kit/a.ts', '#modules/Shop/public/x.ts', 'console/ may not know modules'],
  ['console/kit/a.ts', '#functions/console/description.ts', 'console/ may not know functions'],
  ['functions/a.ts', '#cli/install.ts', 'functions/ may not know cli', 'bare'],
  ['modules/System/Admin/a.ts', '#modules/Article/data/list.ts', 'import modules/Article/public/'],
  ['modules/System/Admin/a.ts', '../../Article/data/a.ts', 'import modules/Article/public/', 'type'],
  ['shared/cache/a.ts', '#shared/auth/session.ts', 'shared/auth is not below shared/cache', 'type'],
  ['shared/dict/a.ts', '../http/locale.ts', 'shared/http is not below shared/dict'],
  ['shared/i18n/a.ts', '#shared/http/route.ts', 'shared/http is not below shared/i18n', 'type'],
  ['shared/dict/a.ts', '#shared/settings/get.ts', 'shared/settings is not below shared/dict'],
  ['shared/cache/a.ts', '#shared/db/items.ts', 'shared/db is not below shared/cache'],
  ['shared/module/a.ts', '#shared/dict/seed.ts', 'shared/dict is not below shared/module'],
  ['shared/misc/a.ts', '#shared/log/log.ts', 'shared/misc has no layer, give it one here'],
  ['shared/auth/a.ts', '@middy/core', 'only shared/http knows it', 'type'],
  ['modules/System/a.ts', 'aws-lambda', 'only shared/http knows it', 'type'],
];

/** Each other broken rule, with minimal sources that break it, and the expected message. */
const wrong: [title: string, sources: Sources, problem: string][] = [
  [
    'parts of the console import each other',
    {
      'console/kit/a.vue': `import B from './b.vue';`,
      'console/kit/b.vue': `import A from './a.vue';`,
    },
    'cycle: console/kit/a.vue -> console/kit/b.vue -> console/kit/a.vue',
  ],
  [
    'a module imports the public files of a module that it does not require',
    {
      'modules/Blog/module.ts': `export default defineModule({ requires: ['Article'] });`,
      'modules/Blog/Admin/a.ts': `import { user } from '#modules/System/public/user.ts';`,
    },
    'modules/Blog/Admin/a.ts imports modules/System/public/user.ts: modules/Blog/module.ts does not require System',
  ],
  [
    'two files import each other, one of them types only',
    {
      'shared/cache/a.ts': `import { b } from './b.ts';`,
      'shared/cache/b.ts': `import type { A } from './a.ts';`,
    },
    'cycle: shared/cache/a.ts -> shared/cache/b.ts -> shared/cache/a.ts',
  ],
  [
    'three files import each other in a ring',
    {
      'cli/a.ts': `import './b.ts';`,
      'cli/b.ts': `export type { C } from './c.ts';`,
      'cli/c.ts': `const a = await import('./a.ts');`,
    },
    'cycle: cli/a.ts -> cli/b.ts -> cli/c.ts -> cli/a.ts',
  ],
  [
    'an SDK is imported in two files',
    {
      'shared/storage/a.ts': `import { S3Client } from '@aws-sdk/client-s3';`,
      'shared/storage/b.ts': `const { S3Client } = await import('@aws-sdk/client-s3');`,
    },
    '@aws-sdk/client-s3 is imported in shared/storage/a.ts, shared/storage/b.ts: one file wraps it',
  ],
  [
    'an SDK is imported in two files, in one with inline types that still load it',
    {
      'shared/tools/a.ts': `import OpenAI from 'openai';`,
      'shared/tools/b.ts': `import { type OpenAI } from 'openai';`,
    },
    'openai is imported in shared/tools/a.ts, shared/tools/b.ts: one file wraps it',
  ],
];

describe('checkImports', () => {
  test.each(wrongImports)('reports that %s imports %s: %s', (from, to, reason, form = 'named') => {
    const target = to.startsWith('.') ? posix.join(posix.dirname(from), to) : to.replace('#', '');

    expect(checkImports({ [from]: forms[form](to) })).toEqual([`${from} imports ${target}: ${reason}`]);
  });

  test.each([
    ['shared/db/a.ts', 'const table = process.env.TABLE_NAME;'],
    ['modules/System/a.ts', `const table = process?.['env'].TABLE_NAME;`],
    ['modules/System/a.ts', `import { env } from 'node:process';`],
  ])('reports that %s reads the environment: %s', (file, source) => {
    expect(checkImports({ [file]: source })).toEqual([`${file} reads process.env: only shared/config does`]);
  });

  test.each(wrong)('reports it when %s', (_title, sources, problem) => {
    expect(checkImports(sources)).toEqual([problem]);
  });

  test('lets pages of modules use the console and types of its description', () => {
    const source = `import { t } from '#console/kit/context.ts';
      import type { Field } from '#functions/console/description.ts';
      import { x } from './x.ts';`;

    expect(checkImports({ 'modules/Shop/Console/shop/a.ts': source })).toEqual([]);
  });

  test('lets a part of the console load what holds it', () => {
    const sources = {
      'console/fields/a.vue': `const B = loadPart(() => import('./b.vue'));`,
      'console/fields/b.vue': `import A from './a.vue';`,
    };

    expect(checkImports(sources)).toEqual([]);
  });

  test('reports every problem of every file', () => {
    const sources = Object.fromEntries(
      wrongImports
        .slice(0, 9)
        .map(([from, to], index) => [from.replace(/\.ts$/, `${index}.ts`), forms.named(to)]),
    );

    const problems = checkImports(sources);

    expect(problems).toHaveLength(9);
  });

  test('allows imports that follow the architecture', () => {
    const sources = {
      'shared/errors/a.ts': `export const a = 1;`,
      'shared/log/a.ts': `import { b } from '#shared/config/a.ts';\nimport { a } from '../errors/a.ts';`,
      'shared/config/a.ts': `const key = process.env.APP_KEY;`,
      'shared/db/a.ts': `import type { C } from '@aws-sdk/client-dynamodb';\nimport { a } from './sdk.ts';`,
      'shared/db/sdk.ts': `export { DynamoDBClient } from '@aws-sdk/client-dynamodb';`,
      'shared/auth/a.ts': `import { a } from '#shared/db/a.ts';\nimport { b } from '#shared/cache/b.ts';`,
      'shared/module/a.ts': `import type { Seed } from '#shared/dict/seed.ts';\nimport type { G } from '../settings/g.ts';`,
      'shared/http/a.ts': `import middy from '@middy/core';\nimport { a } from '#shared/auth/a.ts';`,
      'modules/Blog/module.ts': `export default defineModule({ requires: ['System'] });`,
      'modules/Blog/a.ts': `import { user } from '#modules/System/public/user.ts';`,
      'modules/System/a.ts': `import * as z from 'zod/mini';\nimport { b } from './data/b.ts';\nimport '#shared/http/a.ts';`,
      'functions/a.ts': `import module from '#modules/System/a.ts';\nimport { o } from '../esbuild.config.ts';`,
      'cli/a.ts': `import { a } from '#functions/a.ts';\nconst port = process.env.PORT;`,
    };

    const problems = checkImports(sources);

    expect(problems).toEqual([]);
  });

  test('ignores comments, texts and patterns', () => {
    const sources = {
      'shared/db/a.ts': [
        `// import { x } from '#cli/x.ts'; process.env`,
        `/* import '#cli/x.ts' */`,
        `const text = "import { x } from '#cli/x.ts'";`,
        `const template = \`import { \${join(\`import "#cli/x.ts"\`)} } from '#cli/x.ts'; process.env\`;`,
        `const pattern = /['"\`/]process.env/.test("'");`,
        `const half = (1 + 2) / 2; const other = half / 3;`,
      ].join('\n'),
    };

    const problems = checkImports(sources);

    expect(problems).toEqual([]);
  });

  test('finds code within a template and after a pattern', () => {
    const sources = {
      'shared/db/a.ts': `const quote = /['"]/;\nconst template = \`a \${{ b: process.env.B }.b} c\`;`,
      'shared/db/b.ts': 'const quote = /[\'"`]/;\nconst load = () => import(`#cli/x.ts`);',
    };

    const problems = checkImports(sources);

    expect(problems).toEqual([
      'shared/db/b.ts imports cli/x.ts: shared/ may not know cli',
      'shared/db/a.ts reads process.env: only shared/config does',
    ]);
  });
});
