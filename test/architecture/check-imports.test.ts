import { describe, expect, test } from '@jest/globals';
import { checkImports, type Sources } from './check-imports.ts';

/** Each broken rule, with minimal sources that break it, and the expected message. */
const wrong: [title: string, sources: Sources, problem: string][] = [
  [
    'shared imports a module',
    { 'shared/dict/a.ts': `import { x } from '#modules/System/data/x.ts';` },
    'shared/dict/a.ts imports modules/System/data/x.ts: shared/ may not know modules',
  ],
  [
    'shared imports functions, as a type, by a relative path',
    { 'shared/http/a.ts': `import type { Manifest } from '../../functions/model.ts';` },
    'shared/http/a.ts imports functions/model.ts: shared/ may not know functions',
  ],
  [
    'shared imports cli dynamically',
    { 'shared/db/a.ts': `const load = () => import('#cli/install.ts');` },
    'shared/db/a.ts imports cli/install.ts: shared/ may not know cli',
  ],
  [
    'shared imports a file of the root',
    { 'shared/db/a.ts': `import { options } from '../../esbuild.config.ts';` },
    'shared/db/a.ts imports esbuild.config.ts: shared/ may not know files of the root',
  ],
  [
    'a source imports a test',
    { 'cli/a.ts': `import '../test/support/environment.ts';` },
    'cli/a.ts imports test/support/environment.ts: cli/ may not know test',
  ],
  [
    'a module imports functions',
    { 'modules/System/a.ts': `export { discover } from '#functions/discover/discover.ts';` },
    'modules/System/a.ts imports functions/discover/discover.ts: modules/ may not know functions',
  ],
  [
    'a module imports cli',
    { 'modules/System/a.ts': `export * from '#cli/install.ts';` },
    'modules/System/a.ts imports cli/install.ts: modules/ may not know cli',
  ],
  [
    'a page of a module imports functions for run time',
    { 'modules/Shop/Console/a.ts': `import { x } from '#functions/console/description.ts';` },
    'modules/Shop/Console/a.ts imports functions/console/description.ts: modules/ may not know functions',
  ],
  [
    'a module imports the console',
    { 'modules/Shop/a.ts': `import { x } from '#console/kit/context.ts';` },
    'modules/Shop/a.ts imports console/kit/context.ts: modules/ may not know console',
  ],
  [
    'a module imports its page',
    { 'modules/Shop/a.ts': `import { x } from './Console/shop/x.ts';` },
    'modules/Shop/a.ts imports modules/Shop/Console/shop/x.ts: only pages know pages',
  ],
  [
    'a page of a module imports the shell',
    { 'modules/Shop/Console/a.ts': `import { menu } from '#console/shell/pages.ts';` },
    'modules/Shop/Console/a.ts imports console/shell/pages.ts: console/shell is not for pages',
  ],
  [
    'fields import the kit, dynamically',
    { 'console/fields/text/a.vue': `const load = () => import('../../kit/files/media-picker.vue');` },
    'console/fields/text/a.vue imports console/kit/files/media-picker.vue: console/kit is not below console/fields',
  ],
  [
    'the base imports fields, as a type',
    { 'console/base/a.ts': `import type { Kind } from '../fields/kinds.ts';` },
    'console/base/a.ts imports console/fields/kinds.ts: console/fields is not below console/base',
  ],
  [
    'a folder of the console has no floor',
    { 'console/attic/a.ts': `import { t } from '../base/locale.ts';` },
    'console/attic/a.ts imports console/base/locale.ts: console/attic has no floor, give it one here',
  ],
  [
    'the console imports a module',
    { 'console/kit/a.ts': `import { x } from '#modules/Shop/public/x.ts';` },
    'console/kit/a.ts imports modules/Shop/public/x.ts: console/ may not know modules',
  ],
  [
    'the console imports functions for run time',
    { 'console/kit/a.ts': `import { x } from '#functions/console/description.ts';` },
    'console/kit/a.ts imports functions/console/description.ts: console/ may not know functions',
  ],
  [
    'parts of the console import each other',
    {
      'console/kit/a.vue': `import B from './b.vue';`,
      'console/kit/b.vue': `import A from './a.vue';`,
    },
    'cycle: console/kit/a.vue -> console/kit/b.vue -> console/kit/a.vue',
  ],
  [
    'functions import cli',
    { 'functions/a.ts': `import '#cli/install.ts';` },
    'functions/a.ts imports cli/install.ts: functions/ may not know cli',
  ],
  [
    'a module imports another module',
    { 'modules/System/Admin/a.ts': `import { list } from '#modules/Article/data/list.ts';` },
    'modules/System/Admin/a.ts imports modules/Article/data/list.ts: import modules/Article/public/',
  ],
  [
    'a module imports another module as a type, by a relative path',
    { 'modules/System/Admin/a.ts': `import type { A } from '../../Article/data/a.ts';` },
    'modules/System/Admin/a.ts imports modules/Article/data/a.ts: import modules/Article/public/',
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
    'a lower layer imports a higher one',
    { 'shared/cache/a.ts': `import type { Session } from '#shared/auth/session.ts';` },
    'shared/cache/a.ts imports shared/auth/session.ts: shared/auth is not below shared/cache',
  ],
  [
    'a layer below http imports it',
    { 'shared/dict/a.ts': `import { locales } from '../http/locale.ts';` },
    'shared/dict/a.ts imports shared/http/locale.ts: shared/http is not below shared/dict',
  ],
  [
    'messages import more than the ground floor',
    { 'shared/i18n/a.ts': `import type { Route } from '#shared/http/route.ts';` },
    'shared/i18n/a.ts imports shared/http/route.ts: shared/http is not below shared/i18n',
  ],
  [
    'folders of one layer import each other',
    { 'shared/dict/a.ts': `import { get } from '#shared/settings/get.ts';` },
    'shared/dict/a.ts imports shared/settings/get.ts: shared/settings is not below shared/dict',
  ],
  [
    'the cache imports the database',
    { 'shared/cache/a.ts': `import { getItem } from '#shared/db/items.ts';` },
    'shared/cache/a.ts imports shared/db/items.ts: shared/db is not below shared/cache',
  ],
  [
    'a manifest imports more than types of the dictionary',
    { 'shared/module/a.ts': `import { seedDictionary } from '#shared/dict/seed.ts';` },
    'shared/module/a.ts imports shared/dict/seed.ts: shared/dict is not below shared/module',
  ],
  [
    'a folder of shared has no layer',
    { 'shared/misc/a.ts': `import { log } from '#shared/log/log.ts';` },
    'shared/misc/a.ts imports shared/log/log.ts: shared/misc has no layer, give it one here',
  ],
  [
    'the framework is known outside of http',
    { 'shared/auth/a.ts': `import type middy from '@middy/core';` },
    'shared/auth/a.ts imports @middy/core: only shared/http knows it',
  ],
  [
    'Lambda events are known to a module',
    { 'modules/System/a.ts': `import type { Context } from 'aws-lambda';` },
    'modules/System/a.ts imports aws-lambda: only shared/http knows it',
  ],
  [
    'the environment is read outside of the configuration',
    { 'shared/db/a.ts': `const table = process.env.TABLE_NAME;` },
    'shared/db/a.ts reads process.env: only shared/config does',
  ],
  [
    'the environment is read by another spelling',
    { 'modules/System/a.ts': `const table = process?.['env'].TABLE_NAME;` },
    'modules/System/a.ts reads process.env: only shared/config does',
  ],
  [
    'the environment is imported',
    { 'modules/System/a.ts': `import { env } from 'node:process';` },
    'modules/System/a.ts reads process.env: only shared/config does',
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
  test.each(wrong)('reports it when %s', (_title, sources, problem) => {
    const problems = checkImports(sources);

    expect(problems).toEqual([problem]);
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
    const sources = Object.assign({}, ...wrong.slice(0, 9).map(([, broken], index) => rename(broken, index)));

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

/** The same sources with unique file names. */
function rename(sources: Sources, index: number): Sources {
  return Object.fromEntries(
    Object.entries(sources).map(([file, text]) => [file.replace(/\.ts$/, `${index}.ts`), text]),
  );
}
