import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { unzipSync } from 'fflate';
import { goBack } from '#cli/deploy/back.ts';
import { verifyStage } from '#cli/deploy/verify.ts';
import { createTempDir } from '../../../support/local-server.ts';
import { useCloud } from '../../../support/use-cloud.ts';
import {
  type Contents,
  createDeploy,
  deployContents,
  readRunning,
  region,
  rollBack,
  stacks,
  stage,
} from './stage-double.ts';

const cloud = useCloud();
let root: string;

beforeEach(() => {
  root = createTempDir();
});

const deploy = (contents: Contents, schema = 2) => deployContents(root, cloud, { contents, schema });
const all = (content: string): Contents => Object.fromEntries(stacks.map((stack) => [stack, content]));
const deployAll = async (...contents: string[]) => {
  for (const content of contents) await deploy(all(content));
};
const back = (...chosen: string[]) => rollBack(root, cloud, chosen);
const updated = () =>
  cloud.changes.flatMap((change) => /^UpdateStack backend-(.+)-prod$/.exec(change)?.slice(1) ?? []);

describe('goBack', () => {
  it('puts back what ran before the last run, aggregate first and core last', async () => {
    await deployAll('1', '2');
    cloud.changes.length = 0;

    await back();

    expect(readRunning(cloud)).toEqual(all('1'));
    expect(updated()).toEqual(['aggregate', 'article', 'core']);
    const zip = readFileSync(join(root, '.build/back/article/all.zip'));
    expect(Buffer.from(unzipSync(zip)['index.mjs'] ?? []).toString()).toBe('article 1');
  });

  it('goes forward again after a rollback', async () => {
    await deployAll('1', '2');
    await back();

    await back();
    expect(readRunning(cloud)).toEqual(all('2'));
    await back();
    expect(readRunning(cloud)).toEqual(all('1'));
  });

  it('leaves the stacks that the last run has not changed', async () => {
    await deploy(all('1'));
    await deploy({ core: '2' });
    await deploy({ core: '2', article: '2', aggregate: '1' });

    await back();

    expect(readRunning(cloud)).toEqual({ core: '2', article: '1', aggregate: '1' });
  });

  it('puts back the chosen stack only', async () => {
    await deployAll('1', '2');
    await deploy({ core: '3' });

    await back('article');

    expect(readRunning(cloud)).toEqual({ core: '3', article: '1', aggregate: '2' });
  });

  it.each([
    ['what a failed deployment has changed', false],
    ['a deployment together with the unfinished one that it has continued', true],
  ])('undoes %s', async (_title, isContinued) => {
    await deploy(all('1'));
    cloud.failing.add('backend-article-prod');
    await expect(deploy(all('2'))).rejects.toThrow('article failed');
    cloud.failing.clear();
    if (isContinued) await deploy(all('2'));

    await back();

    expect(readRunning(cloud)).toEqual(all('1'));
  });

  it('keeps the packages of remembered runs only', async () => {
    for (let run = 0; run < 25; run++) await deploy({ core: `${run}` });

    const kept = [...cloud.objects.keys()].filter((key) => key.includes('core-prod-bucket/packages/'));
    expect(kept).toHaveLength(21);
  });

  it('changes nothing if only asked', async () => {
    await deployAll('1', '2');
    cloud.changes.length = 0;
    const objects = new Map(cloud.objects);

    await goBack({ region, stage, projectRoot: root, isDryRun: true });

    expect(cloud.changes).toEqual([]);
    expect(cloud.objects).toEqual(objects);
  });
});

describe('goBack refuses', () => {
  const refuses = async (message: RegExp, ...chosen: string[]) => {
    const running = readRunning(cloud);
    cloud.changes.length = 0;
    await expect(back(...chosen)).rejects.toThrow(message);
    expect(cloud.changes).toEqual([]);
    expect(readRunning(cloud)).toEqual(running);
  };

  it('a stage that does not exist', () => refuses(/has no stack core/));

  it('a stack that has had one deployment', async () => {
    await deploy(all('1'));
    await refuses(/what ran before .* is not known/);
  });

  it('code that does not know the data of the table', async () => {
    await deploy(all('1'), 1);
    await deploy(all('2'), 2);
    const [table] = cloud.tables.values();
    if (table) table.version = 2;

    await refuses(/has version 2, and the former code knows 1/);
  });

  it('a package with one other byte, and one that is missing', async () => {
    await deploy(all('1'));
    const key =
      [...cloud.objects.keys()].find((each) => each.includes('article-prod-bucket/packages/')) ?? '';
    await deploy(all('2'));
    const stored = cloud.objects.get(key);
    stored?.body.writeUInt8(stored.body.readUInt8(40) ^ 1, 40);
    await refuses(/article: the kept package [0-9a-f]+ is damaged/);

    cloud.objects.delete(key);
    await refuses(/article: the package [0-9a-f]+ is not kept/);
  });

  it('a stack in a state that takes no update', async () => {
    await deployAll('1', '2');
    const stack = cloud.stacks.get('backend-article-prod');
    if (stack) stack.status = 'UPDATE_ROLLBACK_FAILED';

    await refuses(/continue-update-rollback/);
  });

  it('a damaged history', async () => {
    await deployAll('1', '2');
    cloud.objects.set('backend-core-prod-bucket/history.json', { body: Buffer.from('[{}]'), metadata: {} });

    await refuses(/history.json in the bucket .* is damaged/);
  });
});

describe('verifyStage', () => {
  const checks = [
    { stack: 'the service', path: '/health' },
    { stack: 'article', path: '/api/article/list' },
  ];
  const migrated: string[] = [];
  const verify = (migrate = async () => void migrated.push(stage)) =>
    verifyStage({ region, stage, checks, projectRoot: root, deploy: createDeploy(root, cloud), migrate });
  const break2 = () => {
    cloud.site = (path) =>
      path === '/api/article/list' && readRunning(cloud).article === '2'
        ? { status: 500, body: { code: 'internal' } }
        : { status: 200, body: { code: 'ok' } };
  };

  beforeEach(async () => {
    migrated.length = 0;
    await deploy(all('1'));
    for (const table of cloud.tables.values()) table.version = 2;
  });

  it('leaves a stage that works, and raises no data that is up to date', async () => {
    await deploy(all('2'));
    await verify();

    expect(readRunning(cloud)).toEqual(all('2'));
    expect(migrated).toEqual([]);
  });

  it('says that a stage does not exist', async () => {
    cloud.empty();

    await expect(verify()).rejects.toThrow(`The stage ${stage} has no stack core`);
  });

  it('puts back the last run if a read of a stack fails', async () => {
    await verify();
    await deploy(all('2'));
    break2();

    await expect(verify()).rejects.toThrow('the last deployment was put back');
    expect(readRunning(cloud)).toEqual(all('1'));
  });

  it('puts back nothing if no deployment has come since the stage worked', async () => {
    await deploy(all('2'));
    await verify();
    break2();

    await expect(verify()).rejects.toThrow('Nothing was put back');
    expect(readRunning(cloud)).toEqual(all('2'));
  });

  it('does not go forward again after a rollback', async () => {
    await deploy(all('2'));
    await back();
    cloud.site = () => ({ status: 503, body: { code: 'database.unavailable' } });

    await expect(verify()).rejects.toThrow('Nothing was put back');
    expect(readRunning(cloud)).toEqual(all('1'));
  });

  it('raises older data, and goes back if that fails', async () => {
    for (const table of cloud.tables.values()) table.version = 1;
    await deploy(all('2'));

    await verify();
    expect(migrated).toEqual([stage]);

    await deploy(all('3'));
    await expect(verify(() => Promise.reject(new Error('no right to write')))).rejects.toThrow(
      'was put back',
    );
    expect(readRunning(cloud)).toEqual(all('2'));
  });

  it.each([
    [{ status: 503, body: { code: 'site.closed' } }, true],
    [{ status: 401, body: { code: 'auth.login_required' } }, true],
    [{ status: 404, body: { code: 'route.not_found' } }, false],
    [{ status: 502, body: {} }, false],
  ])('takes the answer %j of a route for that of a working one: %s', async (answer, isWorking) => {
    cloud.site = (path) => (path === '/health' ? { status: 200, body: { code: 'ok' } } : answer);
    const outcome = verify().then(
      () => true,
      () => false,
    );

    expect(await outcome).toBe(isWorking);
  });
});

describe('an account that refuses every fourth request for a while', () => {
  beforeEach(() => {
    // As many attempts as the SDK makes by itself.
    delete process.env.AWS_MAX_ATTEMPTS;
    let count = 0;
    cloud.interrupt = () => (count++ % 4 === 3 ? 'throttled' : undefined);
  });
  afterEach(() => {
    Object.assign(process.env, cloud.environment);
  });

  it('is deployed to and goes back as any other, each stack once', async () => {
    await deployAll('1', '2');
    expect(readRunning(cloud)).toEqual(all('2'));
    cloud.changes.length = 0;

    await back();

    expect(readRunning(cloud)).toEqual(all('1'));
    expect(updated()).toEqual(['aggregate', 'article', 'core']);
  });
});
