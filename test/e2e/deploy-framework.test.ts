import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import * as z from 'zod/mini';
import { startUpstashEndpoint, type UpstashEndpoint } from '#cli/local/upstash/start-upstash-endpoint.ts';
import { fillParameters } from '../doubles/aws-account.ts';
import { type CloudFormationDouble, startCloudFormation } from '../doubles/cloudformation.ts';
import { projectRoot } from '../support/local-server.ts';
import { copyProject } from '../support/project-copy.ts';
import { shellEnvironment } from '../support/run-service.ts';

// `npm run deploy` of one stack, packaged and uploaded by the Serverless Framework itself.

// A deployment bundles nine functions and starts the framework twice.
jest.setTimeout(180_000);

const name = 'backend-aggregate-prod';
const properties = z.object({
  KmsKeyArn: z.optional(z.unknown()),
  Environment: z.optional(z.object({ Variables: z.record(z.string(), z.unknown()) })),
});
const resource = z.object({ Type: z.string(), Properties: z.optional(properties) });
const templateSchema = z.object({ Resources: z.record(z.string(), resource) });
let cloud: CloudFormationDouble;
let cache: UpstashEndpoint;

beforeAll(async () => {
  cloud = await startCloudFormation();
  const token = 'token-of-the-cache';
  cache = await startUpstashEndpoint({ token });
  fillParameters(cloud.account, 'prod', { url: cache.url, token });
});

afterAll(async () => {
  await Promise.all([cloud.stop(), cache.stop()]);
});

beforeEach(() => {
  cloud.changes.length = 0;
  cloud.failing.clear();
});

async function deploy(
  root: string,
  { options = [], variables = {} }: { options?: string[]; variables?: Record<string, string> } = {},
): Promise<{ code: number | null; printed: string }> {
  const shell = shellEnvironment();
  const programs = { PATH: `${projectRoot}/node_modules/.bin:${shell.PATH}` };
  const env = { ...shell, ...programs, ...cloud.environment, ...variables };
  const args = ['cli/deploy.ts', '--stage', 'prod', '--module', 'aggregate', ...options];
  const run = spawn(process.execPath, args, { cwd: root, env });
  let printed = '';
  for (const stream of [run.stdout, run.stderr]) stream.on('data', (chunk) => (printed += chunk));
  const [code] = await once(run, 'close');
  return { code, printed };
}

const hash = () => cloud.stacks.get(name)?.tags['backend:hash'];

test('a first deployment creates the stack, fills it, and leaves the hash on it', async () => {
  const { code, printed } = await deploy(copyProject(['native']).root);

  expect(printed).toContain('aggregate: new');
  expect(code).toBe(0);
  expect(cloud.changes).toEqual([`CreateStack ${name}`, `UpdateStack ${name}`]);
  expect(hash()).toMatch(/^[0-9a-f]{64}$/);
});

test('the same sources in another folder, packaged later, have the same hash', async () => {
  const { code, printed } = await deploy(copyProject(['native']).root);

  expect(printed).toContain('aggregate: same');
  expect(code).toBe(0);
  expect(cloud.changes).toEqual([]);
});

test('a change that is rolled back fails the run and leaves the old hash', async () => {
  const copy = copyProject(['native']);
  const route = 'modules/Article/Api/article/list.ts';
  const source = readFileSync(join(copy.root, route), 'utf8');
  copy.write(route, source.replace('List published articles', 'List articles'));
  const old = hash();
  cloud.failing.add(name);

  const { code, printed } = await deploy(copy.root);

  expect(printed).toContain('aggregate: differs (the content has changed)');
  expect(code).toBe(1);
  expect(cloud.changes).toEqual([`UpdateStack ${name}`]);
  expect(hash()).toBe(old);
});

test('packages that were built elsewhere are deployed as a run that builds them would', async () => {
  const [builder, deployer] = [copyProject(['native']), copyProject(['native'])];
  const ofBuildingRun = hash();
  const noCloud = { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' };
  const built = await deploy(builder.root, { options: ['--build'], variables: noCloud });
  const digest = built.printed.trim().split('\n').at(-1) ?? '';
  cpSync(join(builder.root, '.build/deploy'), join(deployer.root, '.build/deploy'), { recursive: true });
  cloud.empty();

  const { code, printed } = await deploy(deployer.root, { options: ['--prebuilt', digest] });

  expect(built.code).toBe(0);
  expect(printed).toContain('aggregate: new');
  expect({ code, printed: code === 0 ? '' : printed }).toEqual({ code: 0, printed: '' });
  expect(cloud.changes).toEqual([`CreateStack ${name}`, `UpdateStack ${name}`]);
  expect(hash()).toBe(ofBuildingRun);
}, 360_000);

test('every function gets the secret and the key of the deployment', async () => {
  const copy = copyProject(['native']);
  const key = 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd';
  const variables = { SECRET_ID: 'backend/prod', FUNCTIONS_KMS_KEY_ARN: key };

  const values = { APP_KEY: 'k'.repeat(40), UPSTASH_REDIS_REST_TOKEN: 'token-of-the-cache' };
  cloud.account.secrets.set('backend/prod', JSON.stringify(values));

  expect((await deploy(copy.root, { options: ['--dry-run'], variables })).code).toBe(0);
  const file = join(copy.root, '.build/deploy/aggregate/cloudformation-template-update-stack.json');
  const { Resources } = templateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const functions = Object.values(Resources).filter(({ Type }) => Type === 'AWS::Lambda::Function');
  expect(functions.length).toBeGreaterThan(0);
  for (const { Properties } of functions) {
    expect(Properties?.KmsKeyArn).toBe(key);
    expect(Properties?.Environment?.Variables).toMatchObject({
      APP_KEY: '{{resolve:secretsmanager:backend/prod:SecretString:APP_KEY}}',
      UPSTASH_REDIS_REST_TOKEN:
        '{{resolve:secretsmanager:backend/prod:SecretString:UPSTASH_REDIS_REST_TOKEN}}',
    });
  }
});
