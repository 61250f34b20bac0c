import { setTimeout } from 'node:timers/promises';
import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { defaultRegion, serviceName } from '#functions/names.ts';
import { aggregateStack, coreStack } from '#functions/stacks/stack.ts';

/** The region of a deployment: `AWS_REGION`, by default that of `serverless.yml`. */
export const readRegion = (): string => process.env.AWS_REGION || defaultRegion;

/** Name of a stack in CloudFormation. @param stack as `MODULE` names it: `core` */
export const toStackName = (stack: string, stage: string): string => `${serviceName}-${stack}-${stage}`;

/** The reverse of a deployment: `aggregate` first, then the modules; `core`, which the others import from, last. */
export const compareBack = (a: string, b: string): number => rank(a) - rank(b) || (a < b ? -1 : 1);

const rank = (stack: string): number => (stack === aggregateStack ? 0 : stack === coreStack ? 2 : 1);

/** Time between two looks at a changing stack, in milliseconds. */
export const readPollMs = (): number => Number(process.env.SLS_AWS_MONITORING_FREQUENCY) || 5_000;

/** A stack as CloudFormation describes it; undefined if it does not exist. */
export async function findStack(client: CloudFormationClient, name: string): Promise<Stack | undefined> {
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: name }));
    return Stacks?.[0];
  } catch (error) {
    const isMissing =
      error instanceof Error && error.name === 'ValidationError' && error.message.includes('does not exist');
    if (isMissing) return undefined;
    throw error;
  }
}

// The change set of a stack in review may never be executed.
const isChanging = ({ StackStatus: status }: Stack): boolean =>
  status !== 'REVIEW_IN_PROGRESS' && String(status).endsWith('_IN_PROGRESS');

/**
 * A stack as {@link findStack}, after CloudFormation has ended a change of it: a change continues even if the run that
 * started it is cancelled.
 */
export async function waitForStack(
  region: string,
  name: string,
  pollMs = readPollMs(),
): Promise<Stack | undefined> {
  const client = new CloudFormationClient({ region });
  let stack = await findStack(client, name);
  if (stack && isChanging(stack)) console.log(`${name} is ${stack.StackStatus}: waiting for the end`);
  while (stack && isChanging(stack)) {
    await setTimeout(pollMs);
    stack = await findStack(client, name);
  }
  return stack;
}

/** The value of an output of a stack; undefined for an output that the stack does not have. */
export const readOutput = ({ Outputs = [] }: Stack, name: string): string | undefined =>
  Outputs.find(({ OutputKey }) => OutputKey === name)?.OutputValue;
