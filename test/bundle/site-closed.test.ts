import '../support/environment.ts';
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { bundleFunction } from '../support/bundle-function.ts';
import { useDatabase } from '../support/database.ts';
import { createTempDir, projectRoot } from '../support/local-server.ts';

useDatabase('dynoxide');

const functionName = 'system-api-config-dict';

/** The files that Lambda unpacks: the bundle's modules and the install lock. */
let artifact: string;
beforeAll(async () => {
  await bundleFunction(projectRoot, functionName);
  artifact = createTempDir();
  const folder = join(projectRoot, '.build', 'bundles', functionName);
  for (const file of readdirSync(folder).filter((name) => !name.endsWith('.map'))) {
    copyFileSync(join(folder, file), join(artifact, file));
  }
  // test/bundle/package.test.ts shows that packages hold it.
  writeFileSync(join(artifact, 'install.lock'), '');
}, 60_000);

const program = `
  const { handler } = await import(process.argv[1]);
  const path = '/api/system/config/dict';
  const http = { method: 'GET', path, protocol: 'HTTP/1.1', sourceIp: '203.0.113.7', userAgent: 'recorded' };
  const event = {
    version: '2.0',
    routeKey: 'GET ' + path,
    rawPath: path,
    rawQueryString: 'type=colour',
    headers: { 'x-language': 'en' },
    requestContext: { http, requestId: 'recorded', stage: '$default' },
    isBase64Encoded: false,
  };
  const context = { awsRequestId: 'recorded', getRemainingTimeInMillis: () => 20000 };
  process.stdout.write(JSON.stringify(await handler(event, context)), () => process.exit());
`;

/** Runs the artifact as a deployed function would, on Node 24. */
function invoke(environment: NodeJS.ProcessEnv): { status: number; code: string; retryAfter?: string } {
  const args = ['--input-type=module', '-e', program, join(artifact, 'index.mjs')];
  const env = { ...process.env, AWS_LAMBDA_RUNTIME_API: '127.0.0.1:9', ...environment };
  const printed = execFileSync(process.execPath, args, { cwd: artifact, env, encoding: 'utf8' });
  const { statusCode, body, headers } = JSON.parse(printed.slice(printed.lastIndexOf('{"statusCode"')));
  return { status: statusCode, code: JSON.parse(body).code, retryAfter: headers['retry-after'] };
}

describe('a packaged user function', () => {
  test('serves while the site is open, and answers 503 once it is closed', async () => {
    const { saveSettings } = await import('#shared/settings/save.ts');
    const { basics } = await import('#modules/System/site/settings.ts');
    expect(invoke({ DATA_DIR: artifact }).status).toBe(200);

    await saveSettings(basics, { sys_status: 'off' });

    expect(invoke({ DATA_DIR: artifact })).toEqual({ status: 503, code: 'site.closed', retryAfter: '60' });
  });

  test('passes if it is not installed, with any setting', () => {
    expect(invoke({ DATA_DIR: createTempDir() }).status).toBe(200);
  });
});
