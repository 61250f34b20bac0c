import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { listStages } from '#cli/stages/find-stages.ts';
import { removeStage } from '#cli/stages/remove-stage.ts';
import { listLeftovers } from '#cli/stages/sweep.ts';
import { type CloudFormationDouble, startCloudFormation } from '../../../doubles/cloudformation.ts';

const region = 'eu-central-1';
const before = { ...process.env };
let cloud: CloudFormationDouble;

beforeAll(async () => {
  cloud = await startCloudFormation();
  Object.assign(process.env, cloud.environment);
});

afterAll(async () => {
  process.env = before;
  await cloud.stop();
});

beforeEach(() => {
  clear();
  jest.spyOn(console, 'log').mockImplementation(() => {});
});

function clear(): void {
  for (const held of [cloud.stacks, cloud.objects, cloud.tables, cloud.parameters, cloud.undeletable])
    held.clear();
  cloud.changes.length = 0;
  cloud.interrupt = undefined;
}

interface Made {
  stacks?: readonly string[];
  isPreview?: boolean;
  createdAt?: string;
}

/** A deployed stage, with everything that a deployment leaves. */
function make(
  stage: string,
  { stacks = ['core', 'article', 'aggregate'], isPreview = false, createdAt }: Made = {},
) {
  const tags = { STAGE: stage, ...(isPreview && { 'backend:preview': 'true' }) };
  for (const stack of stacks) {
    const name = `backend-${stack}-${stage}`;
    cloud.stacks.set(name, { status: 'UPDATE_COMPLETE', tags, ...(createdAt && { createdAt }) });
    cloud.objects.set(`${name}-bucket/packages/a.zip`, { body: Buffer.from('a'), metadata: {} });
    cloud.objects.set(`${name}-bucket/serverless/b.zip`, { body: Buffer.from('b'), metadata: {} });
  }
  const table = `backend-core-${stage}-Table-1`;
  cloud.tables.set(table, { isProtected: !isPreview, tags });
  cloud.parameters.set(`/backend/${stage}/APP_KEY`, 'key');
  cloud.parameters.set(`/audit-log/${table}/end`, 'end');
}

async function remove(stage: string, withTable = false): Promise<void> {
  const stacks = (await listStages(region)).get(stage) ?? [];
  await removeStage({ region, stage, stacks, withTable, print: () => {} });
}

const left = () => ({
  stacks: [...cloud.stacks.keys()],
  objects: [...cloud.objects.keys()],
  tables: [...cloud.tables.keys()],
  parameters: [...cloud.parameters.keys()],
});
const nothing = { stacks: [], objects: [], tables: [], parameters: [] };

describe('removeStage', () => {
  it('removes aggregate first and core last, and keeps the table and the parameters', async () => {
    make('test');

    await remove('test');

    expect(cloud.changes).toEqual([
      'DeleteStack backend-aggregate-test',
      'DeleteStack backend-article-test',
      'DeleteStack backend-core-test',
    ]);
    expect(left()).toEqual({
      ...nothing,
      tables: ['backend-core-test-Table-1'],
      parameters: ['/backend/test/APP_KEY', '/audit-log/backend-core-test-Table-1/end'],
    });
  });

  it('leaves nothing with the table, also if the stacks were removed before', async () => {
    make('test');
    await remove('test');
    await remove('test', true);

    expect(left()).toEqual(nothing);
  });

  it('leaves all other stages as they are, also those with a similar name', async () => {
    for (const stage of ['pr-1', 'pr-11', 'pr', 'prod']) make(stage);
    const others = JSON.stringify([...cloud.stacks].filter(([name]) => !name.endsWith('-pr-1')));

    await remove('pr-1', true);

    expect(JSON.stringify([...cloud.stacks])).toBe(others);
    expect([...cloud.tables.keys()]).toEqual(
      ['pr-11', 'pr', 'prod'].map((each) => `backend-core-${each}-Table-1`),
    );
    expect(cloud.parameters.size).toBe(6);
  });

  it('names the stack that cannot be deleted and the reason, and goes on when repeated', async () => {
    make('test');
    cloud.undeletable.add('backend-article-test');

    await expect(remove('test', true)).rejects.toThrow(
      'backend-article-test is DELETE_FAILED: A resource cannot be deleted',
    );
    expect([...cloud.tables.keys()]).toEqual(['backend-core-test-Table-1']);
    cloud.undeletable.clear();
    await remove('test', true);

    expect(left()).toEqual(nothing);
  });

  it('takes no stack of others for its own', async () => {
    make('test');
    cloud.stacks.set('shop-core-test', { status: 'UPDATE_COMPLETE', tags: { STAGE: 'test' } });
    cloud.stacks.set('backend-core-copy', { status: 'UPDATE_COMPLETE', tags: {} });

    await remove('test', true);

    expect([...cloud.stacks.keys()]).toEqual(['shop-core-test', 'backend-core-copy']);
  });
});

describe('a sweep', () => {
  const now = new Date('2026-11-28T00:00:00Z');
  const sweep = async (open: readonly number[], days?: number) => {
    const stages = await listStages(region);
    for (const stage of listLeftovers(stages, { open, days, now })) {
      await removeStage({ region, stage, stacks: stages.get(stage) ?? [], withTable: true, print: () => {} });
    }
  };

  it('removes previews of closed pull requests and old ones, and no other stage', async () => {
    make('pr-1', { isPreview: true, createdAt: '2026-11-27T00:00:00Z' });
    make('pr-2', { isPreview: true, createdAt: '2026-11-27T00:00:00Z' });
    make('pr-3', { isPreview: true, createdAt: '2026-11-01T00:00:00Z' });
    make('pr-4');
    make('prod');

    await sweep([1, 3], 14);

    expect([...(await listStages(region)).keys()].sort()).toEqual(['pr-1', 'pr-4', 'prod']);
  });

  it('leaves a stage of which one stack lacks the tag', async () => {
    make('pr-1', { isPreview: true });
    make('pr-1', { stacks: ['system'] });
    const made = left();

    await sweep([]);

    expect(left()).toEqual(made);
  });
});
