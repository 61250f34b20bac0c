import type { Stack, StackStatus } from '@aws-sdk/client-cloudformation';
import { serviceName } from '#functions/names.ts';
import { hashTag, type StackPackage } from './package.ts';
import { adviseStuck } from './stack-failures.ts';
import { waitForStack } from './stack-state.ts';

/** Whether a stack must be deployed, and why. */
export interface Verdict {
  kind: 'new' | 'differs' | 'same' | 'blocked';
  reason: string;
}

/** A verdict, with the hash of the content that runs now. */
export interface Comparison extends Verdict {
  /** Undefined if the last update was not complete, or was not by this command. */
  running?: string | undefined;
  /** Whether CloudFormation has rolled back the last update: then the content is that before it. */
  isRolledBack: boolean;
}

/** Compares a package with the deployed stack. Waits while CloudFormation changes the stack. */
export async function compare(
  { service, region, hash }: Pick<StackPackage, 'service' | 'region' | 'hash'>,
  stage: string,
  pollMs?: number,
): Promise<Comparison> {
  const stack = await waitForStack(region, `${service}-${stage}`, pollMs);
  if (!stack) return { kind: 'new', reason: 'the stack does not exist', isRolledBack: false };
  const { StackStatus: status, Tags = [] } = stack;
  // A new stack has the tag before its content.
  const running =
    status === 'UPDATE_COMPLETE' ? Tags.find(({ Key }) => Key === hashTag)?.Value || undefined : undefined;
  const verdict = judge(stack, running, hash);
  if (status === 'UPDATE_ROLLBACK_FAILED') {
    const advice = await adviseStuck({ region, stage, stack: service.slice(serviceName.length + 1) });
    verdict.reason = `${noUpdate(status)} ${advice}`;
  }
  return { ...verdict, running, isRolledBack: status === 'UPDATE_ROLLBACK_COMPLETE' };
}

/** Why stacks in other states than `UPDATE_COMPLETE` can be deployed again. */
const unfinished: Partial<Record<StackStatus, string>> = {
  CREATE_COMPLETE: 'the first deployment did not finish',
  UPDATE_ROLLBACK_COMPLETE: 'the last deployment was rolled back',
};

const noUpdate = (status: string): string => `CloudFormation takes no update in the state ${status}.`;

function judge(
  { StackName, StackStatus: status = 'CREATE_FAILED' }: Stack,
  running: string | undefined,
  hash: string,
): Verdict {
  if (status === 'UPDATE_COMPLETE') {
    if (running === hash) return { kind: 'same', reason: 'the deployed content is the same' };
    return { kind: 'differs', reason: running ? 'the content has changed' : 'the stack has no hash' };
  }
  const reason = unfinished[status];
  if (reason) return { kind: 'differs', reason };
  const advice = `Look at the stack's events, then run: aws cloudformation delete-stack --stack-name ${StackName}`;
  return { kind: 'blocked', reason: `${noUpdate(status)} ${advice}` };
}
