import { setTimeout } from 'node:timers/promises';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  type Stack,
  type StackStatus,
} from '@aws-sdk/client-cloudformation';
import { hashTag, type StackPackage } from './package.ts';

/** Whether a stack must be deployed, and why. */
export interface Verdict {
  kind: 'new' | 'differs' | 'same' | 'blocked';
  reason: string;
}

/**
 * Compares a package with the deployed stack. Waits while CloudFormation changes the stack: an update continues even
 * if the run that started it is cancelled.
 */
export async function compare(
  { service, region, hash }: StackPackage,
  stage: string,
  pollMs = Number(process.env.SLS_AWS_MONITORING_FREQUENCY) || 5_000,
): Promise<Verdict> {
  const client = new CloudFormationClient({ region });
  const name = `${service}-${stage}`;
  let stack = await findStack(client, name);
  if (stack && isChanging(stack)) console.log(`${name} is ${stack.StackStatus}: waiting for the end`);
  while (stack && isChanging(stack)) {
    await setTimeout(pollMs);
    stack = await findStack(client, name);
  }
  return stack ? judge(stack, hash) : { kind: 'new', reason: 'the stack does not exist' };
}

async function findStack(client: CloudFormationClient, name: string): Promise<Stack | undefined> {
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

/** Why stacks in other states than `UPDATE_COMPLETE` can be deployed again. */
const unfinished: Partial<Record<StackStatus, string>> = {
  CREATE_COMPLETE: 'the first deployment did not finish',
  UPDATE_ROLLBACK_COMPLETE: 'the last deployment was rolled back',
};

/** Reads the tag only after a complete update: a new stack has the tag before its content. */
function judge(
  { StackName, StackStatus: status = 'CREATE_FAILED', Tags = [] }: Stack,
  hash: string,
): Verdict {
  if (status === 'UPDATE_COMPLETE') {
    const deployed = Tags.find(({ Key }) => Key === hashTag)?.Value;
    if (deployed === hash) return { kind: 'same', reason: 'the deployed content is the same' };
    return { kind: 'differs', reason: deployed ? 'the content has changed' : 'the stack has no hash' };
  }
  const reason = unfinished[status];
  if (reason) return { kind: 'differs', reason };
  const command = status === 'UPDATE_ROLLBACK_FAILED' ? 'continue-update-rollback' : 'delete-stack';
  const advice = `Look at the stack's events, then run: aws cloudformation ${command} --stack-name ${StackName}`;
  return { kind: 'blocked', reason: `CloudFormation takes no update in the state ${status}. ${advice}` };
}
