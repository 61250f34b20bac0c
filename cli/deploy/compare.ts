import { setTimeout } from 'node:timers/promises';
import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { hashTag, type StackPackage } from './package.ts';

/** Whether a stack has to be deployed, and the reason in words. */
export interface Verdict {
  kind: 'new' | 'differs' | 'same' | 'blocked';
  reason: string;
}

/**
 * Compares a package with the deployed stack. Waits while CloudFormation works on the stack: an update continues if the
 * run that started it is cancelled.
 *
 * @param pollMs time between two looks at a stack that changes, in ms
 */
export async function compare(
  { service, region, hash }: StackPackage,
  stage: string,
  pollMs = Number(process.env.SLS_AWS_MONITORING_FREQUENCY) || 5_000,
): Promise<Verdict> {
  const client = new CloudFormationClient({ region });
  const name = `${service}-${stage}`;
  let stack = await findStack(client, name);
  if (stack && isChanging(stack)) console.log(`${name} is ${stack.StackStatus}: waiting until it is done`);
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

// A stack in review waits for a change set that may never be executed.
const isChanging = ({ StackStatus: status }: Stack): boolean =>
  status !== 'REVIEW_IN_PROGRESS' && String(status).endsWith('_IN_PROGRESS');

/** Trusts the tag only after a complete update: a new stack has it before it has its content. */
function judge({ StackName, StackStatus, Tags = [] }: Stack, hash: string): Verdict {
  switch (StackStatus) {
    case 'UPDATE_COMPLETE': {
      const deployed = Tags.find(({ Key }) => Key === hashTag)?.Value;
      if (deployed === hash) return { kind: 'same', reason: 'the deployed content is the same' };
      return { kind: 'differs', reason: deployed ? 'the content has changed' : 'the stack has no hash' };
    }
    case 'CREATE_COMPLETE':
      return { kind: 'differs', reason: 'the first deployment did not finish' };
    case 'UPDATE_ROLLBACK_COMPLETE':
      return { kind: 'differs', reason: 'the last deployment was rolled back' };
    case 'UPDATE_ROLLBACK_FAILED':
      return block(StackStatus, `aws cloudformation continue-update-rollback --stack-name ${StackName}`);
    default:
      return block(StackStatus, `aws cloudformation delete-stack --stack-name ${StackName}`);
  }
}

const block = (status: string | undefined, command: string): Verdict => ({
  kind: 'blocked',
  reason: `CloudFormation takes no update in the state ${status}. Look at the stack's events, then run: ${command}`,
});
