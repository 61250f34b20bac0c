import { CloudFormationClient, paginateDescribeStacks, type Stack } from '@aws-sdk/client-cloudformation';
import { serviceName } from '#functions/names.ts';
import { previewTag } from '#functions/stacks/deployment.ts';
import { compareBack } from '../deploy/stack-state.ts';

/** A stack of a stage. `stack` is its name as `MODULE` names it. */
export interface StageStack {
  stack: string;
  name: string;
  isPreview: boolean;
  createdAt: Date;
}

const readTag = ({ Tags = [] }: Stack, name: string): string | undefined =>
  Tags.find(({ Key }) => Key === name)?.Value;

/** The stack of this service; undefined for others. The framework tags each stack with its stage. */
function toStageStack(described: Stack): (StageStack & { stage: string }) | undefined {
  const { StackName: name = '', CreationTime: createdAt = new Date() } = described;
  const stage = readTag(described, 'STAGE');
  if (!stage || !name.startsWith(`${serviceName}-`) || !name.endsWith(`-${stage}`)) return undefined;
  const stack = name.slice(serviceName.length + 1, -stage.length - 1);
  const isPreview = readTag(described, previewTag) !== undefined;
  return stack ? { stage, stack, name, createdAt, isPreview } : undefined;
}

/** The stacks of all stages in a region, by stage, in the order of their removal. */
export async function listStages(region: string): Promise<Map<string, StageStack[]>> {
  const stages = new Map<string, StageStack[]>();
  for await (const page of paginateDescribeStacks({ client: new CloudFormationClient({ region }) }, {})) {
    for (const described of page.Stacks ?? []) {
      const found = toStageStack(described);
      if (found) stages.set(found.stage, [...(stages.get(found.stage) ?? []), found]);
    }
  }
  for (const stacks of stages.values()) stacks.sort((a, b) => compareBack(a.stack, b.stack));
  return stages;
}
