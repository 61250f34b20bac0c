import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { listReached } from '#functions/bundle/keep-chunks-apart.ts';
import { bundleFunction } from '../support/bundle-function.ts';
import { projectRoot } from '../support/local-server.ts';

const functionName = 'system-admin-setting-dict-type-list';

let metafile: Awaited<ReturnType<typeof bundleFunction>>;
beforeAll(async () => {
  metafile = await bundleFunction(projectRoot, functionName);
}, 60_000);

const isText = (input: string) => /\/(?:lang|locales)\//.test(input);

test('a bundle has its texts in files that are not loaded at its start', () => {
  const textsOf = (isStart: boolean) =>
    listReached(metafile, isStart).flatMap((file) =>
      Object.keys(metafile.outputs[file]?.inputs ?? {}).filter(isText),
    );

  expect(textsOf(false).map((file) => file.replace(/^node_modules\//, ''))).toEqual(
    expect.arrayContaining([
      'shared/i18n/lang/en.json',
      'shared/i18n/lang/zh_CN.json',
      'modules/System/lang/en.json',
      'modules/System/lang/zh_CN.json',
      'zod/v4/locales/en.js',
      'zod/v4/locales/zh-CN.js',
    ]),
  );
  expect(textsOf(true)).toEqual([]);
});

const program = `
  const { handler } = await import(process.argv[1]);
  const event = {
    headers: { 'x-language': process.argv[2] },
    rawQueryString: '',
    requestContext: { http: { method: 'GET', sourceIp: '203.0.113.7' } },
  };
  const { body } = await handler(event, { awsRequestId: 'r1', getRemainingTimeInMillis: () => 20000 });
  process.stdout.write('\\n' + body, () => process.exit());
`;

const env = {
  APP_KEY: 'k'.repeat(32),
  TABLE_NAME: 'service',
  PUBLIC_URL: 'http://127.0.0.1:9',
  UPSTASH_REDIS_REST_URL: 'http://127.0.0.1:9',
  UPSTASH_REDIS_REST_TOKEN: 'token',
};

test.each([
  ['en', 'Log in first'],
  ['zh_CN', '请先登录'],
])('a bundled function answers a failure in %s', (language, message) => {
  const bundle = join(projectRoot, '.build', 'bundles', functionName, 'index.mjs');

  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program, bundle, language], {
    env,
    encoding: 'utf8',
  });

  expect(JSON.parse(printed.slice(printed.lastIndexOf('\n')))).toMatchObject({
    code: 'auth.token_missing',
    message,
  });
});
