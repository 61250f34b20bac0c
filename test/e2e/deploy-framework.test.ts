import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { type CloudFormationDouble, startCloudFormation } from '../doubles/cloudformation.ts';
import { projectRoot } from '../support/local-server.ts';
import { copyProject } from '../support/project-copy.ts';

// `npm run deploy` of one stack, packaged and uploaded by the Serverless Framework itself.

// A deployment bundles nine functions and starts the framework twice.
jest.setTimeout(180_000);

const name = 'backend-aggregate-prod';
let cloud: CloudFormationDouble;

beforeAll(async () => {
  cloud = await startCloudFormation();
});

afterAll(() => cloud.stop());

beforeEach(() => {
  cloud.changes.length = 0;
});

async function deploy(root: string): Promise<{ code: number | null; printed: string }> {
  const { HOME, PATH } = process.env;
  const env = { HOME, PATH: `${projectRoot}/node_modules/.bin:${PATH}`, ...cloud.environment };
  const args = ['cli/deploy.ts', '--stage', 'prod', '--module', 'aggregate'];
  const run = spawn(process.execPath, args, { cwd: root, env });
  let printed = '';
  for (const stream of [run.stdout, run.stderr]) stream.on('data', (chunk) => (printed += chunk));
  const [code] = await once(run, 'close');
  return { code, printed };
}

const hash = () => cloud.stacks.get(name)?.tags['backend:hash'];

test('a first deployment creates the stack, fills it, and leaves the hash on it', async () => {
  const { code, printed } = await deploy(copyProject().root);

  expect(printed).toContain('aggregate: new');
  expect(code).toBe(0);
  expect(cloud.changes).toEqual([`CreateStack ${name}`, `UpdateStack ${name}`]);
  expect(hash()).toMatch(/^[0-9a-f]{64}$/);
});

test('the same sources in another folder, packaged later, have the same hash', async () => {
  const { code, printed } = await deploy(copyProject().root);

  expect(printed).toContain('aggregate: same');
  expect(code).toBe(0);
  expect(cloud.changes).toEqual([]);
});

test('a change that is rolled back fails the run and leaves the old hash', async () => {
  const copy = copyProject();
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
