import { listStages } from '#cli/stages/find-stages.ts';
import { removeStage } from '#cli/stages/remove-stage.ts';
import { listLeftovers } from '#cli/stages/sweep.ts';
import type { CloudFormationDouble } from '../../../doubles/cloudformation.ts';

export const region = 'eu-central-1';

interface Made {
  stacks?: readonly string[];
  isPreview?: boolean;
  createdAt?: string;
}

/** Makes and removes stages of the double. */
export function createStages(cloud: CloudFormationDouble) {
  type Stages = Awaited<ReturnType<typeof listStages>>;
  const removeOne = (stages: Stages, stage: string, withTable: boolean): Promise<void> =>
    removeStage({ region, stage, stacks: stages.get(stage) ?? [], withTable, print: () => {} });
  return {
    /** A deployed stage, with everything that a deployment leaves. */
    make(
      stage: string,
      { stacks = ['core', 'article', 'aggregate'], isPreview = false, createdAt }: Made = {},
    ): void {
      const tags = { STAGE: stage, ...(isPreview && { 'backend:preview': 'true' }) };
      for (const stack of stacks) {
        const name = `backend-${stack}-${stage}`;
        cloud.stacks.set(name, { status: 'UPDATE_COMPLETE', tags, ...(createdAt && { createdAt }) });
        for (const key of ['packages/a.zip', 'serverless/b.zip'])
          cloud.objects.set(`${name}-bucket/${key}`, { body: Buffer.from(key), metadata: {} });
      }
      const table = `backend-core-${stage}-Table-1`;
      cloud.tables.set(table, { isProtected: !isPreview, tags });
      cloud.parameters.set(`/backend/${stage}/APP_KEY`, 'key');
      cloud.parameters.set(`/audit-log/${table}/end`, 'end');
    },
    remove: async (stage: string, withTable = false): Promise<void> =>
      removeOne(await listStages(region), stage, withTable),
    /** Sweeps on 28 November 2026. */
    async sweep(open: readonly number[], days?: number): Promise<void> {
      const rules = { open, days, now: new Date('2026-11-28T00:00:00Z') };
      const stages = await listStages(region);
      for (const stage of listLeftovers(stages, rules)) await removeOne(stages, stage, true);
    },
    left: () => ({
      stacks: [...cloud.stacks.keys()],
      objects: [...cloud.objects.keys()],
      tables: [...cloud.tables.keys()],
      parameters: [...cloud.parameters.keys()],
    }),
  };
}
