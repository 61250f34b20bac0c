import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { listStages } from '#cli/stages/find-stages.ts';
import { removeStage } from '#cli/stages/remove-stage.ts';
import { listLeftovers } from '#cli/stages/sweep.ts';
import { type CloudFormationDouble, startCloudFormation } from '../../../doubles/cloudformation.ts';

// Thousands of requests.
jest.setTimeout(300_000);

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

describe('a sweep', () => {
  const now = new Date('2026-11-28T00:00:00Z');
  const sweep = async (open: readonly number[], days?: number) => {
    const stages = await listStages(region);
    for (const stage of listLeftovers(stages, { open, days, now })) {
      await removeStage({ region, stage, stacks: stages.get(stage) ?? [], withTable: true, print: () => {} });
    }
  };

  it('leaves nothing of a hundred previews, interrupted anywhere', async () => {
    const preview = fc.record({
      stacks: fc.subarray(['article', 'system', 'aggregate']),
      interruptAt: fc.nat(30),
      kind: fc.constantFrom('before' as const, 'after' as const),
    });
    const previews = fc.array(preview, { minLength: 100, maxLength: 100 });
    await fc.assert(
      fc.asyncProperty(previews, async (each) => {
        clear();
        make('prod');
        const ofProd = JSON.stringify([left(), ...cloud.stacks.values()]);
        for (const [index, { stacks, interruptAt, kind }] of each.entries()) {
          make(`pr-${index}`, { stacks: ['core', ...stacks], isPreview: true });
          let count = 0;
          cloud.interrupt = () => (count++ >= interruptAt ? kind : undefined);
          await remove(`pr-${index}`, true).catch(() => {});
          cloud.interrupt = undefined;
        }
        await sweep([]);

        expect(JSON.stringify([left(), ...cloud.stacks.values()])).toBe(ofProd);
      }),
      { numRuns: 1 },
    );
  });
});
