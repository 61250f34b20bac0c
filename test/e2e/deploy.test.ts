import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startUpstashEndpoint } from '#cli/local/upstash/start-upstash-endpoint.ts';
import { fillParameters } from '../doubles/aws-account.ts';
import { startCloudFormation } from '../doubles/cloudformation.ts';
import { projectRoot } from '../support/local-server.ts';
import { copyProject } from '../support/project-copy.ts';
import { shellEnvironment } from '../support/run-service.ts';
import { useRunning } from '../support/use-running.ts';

// `npm run deploy` with the real client of CloudFormation. A double replaces the slow packaging and uploading by
// the framework; deploy-framework.test.ts tests them.

const token = 'token-of-the-cache';
const cloud = useRunning(startCloudFormation);
const cache = useRunning(() => startUpstashEndpoint({ token }));
const copy = copyProject();

beforeAll(() => {
  fillParameters(cloud.account, 'prod', { url: cache.url, token });
  mkdirSync(join(copy.root, 'bin'));
  const script = join(projectRoot, 'test', 'doubles', 'serverless.ts');
  copy.write('bin/serverless', `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`);
  chmodSync(join(copy.root, 'bin', 'serverless'), 0o755);
  git('init', '--quiet');
});

beforeEach(() => {
  cloud.changes.length = 0;
  cloud.failing.clear();
  cloud.onDescribe = () => {};
});

const git = (...args: string[]) => {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  const { status, stderr } = spawnSync('git', [...identity, ...args], { cwd: copy.root, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
};

/** Commits a change of a file; without one, an empty commit. */
function commit(file?: string): void {
  if (file) appendFileSync(join(copy.root, file), '\n// changed\n');
  git('add', 'modules');
  git('commit', '--quiet', '--allow-empty', '--message', `change ${file}`);
}

function start(args: readonly string[]): ChildProcess {
  const shell = shellEnvironment();
  const env = { ...shell, PATH: `${join(copy.root, 'bin')}:${shell.PATH}`, ...cloud.environment };
  return spawn(process.execPath, ['cli/deploy.ts', ...args], { cwd: copy.root, env });
}

async function run(args: readonly string[]): Promise<{ code: number | null; printed: string }> {
  const child = start(args);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (printed += chunk));
  const [code] = await once(child, 'close');
  return { code, printed };
}
const deploy = (...args: string[]) => run(['--stage', 'prod', ...args]);

/** The stacks whose content was deployed, in order. */
const deployed = () =>
  cloud.changes.flatMap((change) => /^UpdateStack backend-(.+)-prod$/.exec(change)?.slice(1) ?? []);

describe('three commits, the second of which is lost', () => {
  it('deploys everything at first, core before the modules and aggregate last', async () => {
    commit();

    const { code, printed } = await deploy();

    expect(printed).toContain('core: new (the stack does not exist)');
    expect(code).toBe(0);
    expect(deployed()).toEqual(['core', 'article', 'system', 'user-center', 'aggregate']);
  });

  it('loses the run of the second commit before it deploys', async () => {
    commit('modules/Article/module.ts');
    const child = start(['--stage', 'prod']);
    cloud.onDescribe = () => child.kill('SIGKILL');

    await once(child, 'close');

    expect(child.signalCode).toBe('SIGKILL');
    expect(deployed()).toEqual([]);
  });

  it('deploys with the third commit what the lost run missed', async () => {
    commit('modules/UserCenter/module.ts');

    const { code, printed } = await deploy();

    expect(printed).toContain('core: same');
    expect(printed).toContain('article: differs (the content has changed)');
    expect(code).toBe(0);
    expect(deployed()).toEqual(['article', 'user-center', 'aggregate']);
  });

  it('deploys nothing after a commit that changes nothing', async () => {
    commit();

    const { code, printed } = await deploy();

    expect(code).toBe(0);
    expect(printed).toContain('Nothing to deploy.');
    expect(cloud.changes).toEqual([]);
  });
});

describe('a run that fails', () => {
  it('stops at the stack that is rolled back, and the next run deploys it and the rest', async () => {
    commit('modules/Article/module.ts');
    cloud.failing.add('backend-article-prod');

    const failed = await deploy();

    expect(failed.code).toBe(1);
    expect(failed.printed).toContain('article was not deployed');
    expect(deployed()).toEqual(['article']);

    cloud.failing.clear();
    cloud.changes.length = 0;
    const { code, printed } = await deploy();

    expect(printed).toContain('article: differs (the last deployment was rolled back)');
    expect(code).toBe(0);
    expect(deployed()).toEqual(['article', 'aggregate']);
  });

  it('deploys nothing while a stack accepts no update', async () => {
    commit('modules/UserCenter/module.ts');
    const stack = cloud.stacks.get('backend-article-prod') ?? { status: '', tags: {} };
    cloud.stacks.set('backend-article-prod', { ...stack, status: 'UPDATE_ROLLBACK_FAILED' });

    const { code, printed } = await deploy();
    cloud.stacks.set('backend-article-prod', stack);

    expect(code).toBe(1);
    expect(printed).toContain('continue-update-rollback --stack-name backend-article-prod');
    expect(cloud.changes).toEqual([]);
  });
});

describe('options', () => {
  it('--dry-run lists differences and changes nothing', async () => {
    const { code, printed } = await deploy('--dry-run');

    expect(code).toBe(0);
    expect(printed).toContain('user-center: differs (the content has changed)');
    expect(cloud.changes).toEqual([]);
  });

  it('--module does not change other modules', async () => {
    expect((await deploy('--module', 'Article')).printed).not.toContain('user-center');
    expect(deployed()).toEqual(['aggregate']);
  });

  it('--force also deploys unchanged stacks', async () => {
    await deploy('--module', 'core', '--force');

    expect(deployed()).toEqual(['core', 'aggregate']);
  });

  it('--check lists each check, and packages and deploys nothing', async () => {
    const { code, printed } = await deploy('--check');

    expect(code).toBe(0);
    for (const subject of ['credentials', 'concurrency', 'parameter /backend/prod/APP_KEY', 'Upstash'])
      expect(printed).toMatch(new RegExp(`^ok +${subject}:`, 'm'));
    expect(printed).not.toContain('core:');
    expect(printed).not.toContain('token-of-the-cache');
    expect(cloud.changes).toEqual([]);
  });

  it('refuses before packaging if a check fails, with the command that mends it', async () => {
    const name = '/backend/prod/APP_KEY';
    const parameter = cloud.account.parameters.get(name) ?? { Type: 'String', Value: '' };
    cloud.account.parameters.set(name, { ...parameter, Value: 'short-secret' });

    const outputs = [await deploy('--check'), await deploy(), await deploy('--prebuilt', '0'.repeat(64))];
    cloud.account.parameters.set(name, parameter);

    expect(outputs.map(({ code }) => code)).toEqual([1, 1, 1]);
    expect(outputs[0]?.printed).toContain(`FAILED     parameter ${name}: APP_KEY: each key needs`);
    expect(outputs[0]?.printed).toContain(`run: aws ssm put-parameter --region`);
    expect(outputs[1]?.printed).toContain('Nothing was deployed, because of:');
    for (const { printed } of outputs) expect(printed).not.toMatch(/short-secret|core:/);
    expect(cloud.changes).toEqual([]);
  });

  it.each([
    ['no stage', '', "required option '--stage <STAGE>' not specified"],
    ['an unknown module', '--stage prod --module Shop', 'there is no stack "shop"'],
    ['a build that deploys', '--stage prod --build --force', "'--build' cannot be used with"],
    ['two ways at once', '--stage prod --rollback --verify', "'--rollback' cannot be used with"],
    ['a rollback that only checks', '--stage prod --rollback --check', "'--rollback' cannot be used with"],
    ['a verification without changes', '--stage prod --verify --dry-run', "'--verify' cannot be used with"],
    ['parameters of another stage', '--stage prod --build --like test', '--like is for --preview'],
    ['a preview with the name of a stage', '--stage prod --preview', 'a preview has a name'],
    ['a build that asks the cloud', '--stage prod --build --check', "'--build' cannot be used with"],
    ['an unknown option', '--stage prod --changed-since HEAD', '--changed-since'],
  ])('refuses %s', async (_name, line, message) => {
    const { code, printed } = await run(line.split(' ').filter(Boolean));

    expect(code).toBe(2);
    expect(printed).toContain(message);
  });
});

describe('the way back', () => {
  it('puts back what ran before the last run without a build, and goes forward again', async () => {
    await deploy();
    commit('modules/Article/module.ts');
    await deploy();
    const former = cloud.stacks.get('backend-article-prod')?.tags['backend:hash'];
    commit('modules/Article/module.ts');
    await deploy();
    cloud.changes.length = 0;

    const { code, printed } = await deploy('--rollback');

    expect({ code, printed: code === 0 ? '' : printed }).toEqual({ code: 0, printed: '' });
    expect(printed).toContain(`article: back to ${former}`);
    expect(deployed()).toEqual(['aggregate', 'article']);
    expect(cloud.stacks.get('backend-article-prod')?.tags['backend:hash']).toBe(former);

    await deploy('--rollback');
    expect((await deploy()).printed).toContain('Nothing to deploy.');
    // Six runs.
  }, 300_000);
});

describe('packages that another place has built', () => {
  const build = async (): Promise<string> =>
    (await deploy('--build')).printed.trim().split('\n').at(-1) ?? '';

  it('are built without the cloud', async () => {
    let asked = 0;
    cloud.onDescribe = () => (asked += 1);

    expect(await build()).toMatch(/^[0-9a-f]{64}$/);
    expect(asked).toBe(0);
  });

  it('are what a run that builds them deploys', async () => {
    commit('modules/Article/module.ts');
    const digest = await build();

    expect((await deploy('--prebuilt', digest)).code).toBe(0);
    expect(deployed()).toEqual(['article', 'aggregate']);
    expect((await deploy()).printed).toContain('Nothing to deploy.');
  });

  it('are deployed as they were built, not as the sources are now', async () => {
    const digest = await build();
    commit('modules/Article/module.ts');

    expect((await deploy('--prebuilt', digest)).printed).toContain('Nothing to deploy.');
    expect((await deploy('--dry-run')).printed).toContain('article: differs');
  });
});
