import { describe, expect, it } from '@jest/globals';
import { listStages } from '#cli/stages/find-stages.ts';
import { useCloud } from '../../../support/use-cloud.ts';
import { createStages, region } from './stages-double.ts';

const cloud = useCloud();
const { make, remove, left, sweep } = createStages(cloud);
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
