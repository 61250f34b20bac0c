import {
  CloudFormationClient,
  paginateDescribeStackEvents,
  type StackEvent,
} from '@aws-sdk/client-cloudformation';
import { productionStage } from '#functions/names.ts';
import { awsLimits, routesQuota } from '#functions/stacks/limits.ts';
import { coreStack } from '#functions/stacks/stack.ts';
import { findStack, toStackName } from './stack-state.ts';

/** A resource that CloudFormation could not create, change or delete. */
export interface ResourceFailure {
  /** Its logical ID in the template. */
  id: string;
  type: string;
  reason: string;
}

/** Whether an event begins a change of its stack; a rollback belongs to the change before it. */
const isBeginning = ({ ResourceType, ResourceStatus }: StackEvent): boolean =>
  ResourceType === 'AWS::CloudFormation::Stack' &&
  /^(?:CREATE|UPDATE|DELETE)_IN_PROGRESS$/.test(String(ResourceStatus));

/** CloudFormation says this of the stack, not of a resource. */
const inUse = /^Export .* (?:deleted|updated) as it is in use by/;

/** The resources that the last change of a stack could not change, each once, the first one first. */
export async function readFailures(region: string, name: string): Promise<ResourceFailure[]> {
  const failures = new Map<string, ResourceFailure>();
  const client = new CloudFormationClient({ region });
  for await (const { StackEvents = [] } of paginateDescribeStackEvents({ client }, { StackName: name })) {
    for (const event of StackEvents) {
      if (isBeginning(event)) return [...failures.values()].reverse();
      const {
        LogicalResourceId: id = '',
        ResourceType: type = '',
        ResourceStatusReason: reason = '',
      } = event;
      // CloudFormation cancels what it has begun beside the resource that failed.
      const isFailed = /_FAILED$|ROLLBACK_IN_PROGRESS$/.test(String(event.ResourceStatus));
      const isOwn = isFailed && !/\bcancelled\b/.test(reason);
      const isOfStack = type === 'AWS::CloudFormation::Stack' && !inUse.test(reason);
      if (!isOwn || isOfStack) continue;
      // The oldest event of a resource says the cause. Deleted first, it takes its place in the order too.
      failures.delete(id);
      failures.set(id, { id, type, reason });
    }
  }
  return [...failures.values()].reverse();
}

interface FailedStack {
  region: string;
  stage: string;
  /** As `MODULE` names it: `core`. */
  stack: string;
}

/** What a resource that is gone answers to its own change; not what it says of another one that it names. */
const isMissing = /HandlerErrorCode: NotFound\b/;

const removeStack = (stage: string, stack: string): string =>
  `npm run service -- stage:remove ${stage} --stack ${stack}${stage === productionStage ? ' --production' : ''}`;

/** What mends a failure, by the words of AWS. */
const advices: readonly [words: RegExp, advise: (failure: ResourceFailure, stack: FailedStack) => string][] =
  [
    [
      /UnreservedConcurrentExecution/,
      (_failure, { stage }) =>
        `ask for a higher quota of concurrency, or reserve none: CONCURRENCY_FACTOR=0 npm run deploy -- --stage ${stage}`,
    ],
    [
      /Maximum number of Integrations/i,
      () =>
        `an HTTP API has ${awsLimits.integrations} integrations: write functions: 'folder' into manifests (docs/modules.md), then deploy again`,
    ],
    [
      /Maximum number of Routes/i,
      (_failure, { region }) =>
        `run: aws service-quotas request-service-quota-increase --region ${region} --service-code apigateway --quota-code ${routesQuota} --desired-value 1000`,
    ],
    [
      inUse,
      (_failure, { stage }) =>
        `first deploy the stacks that import it, without core: npm run deploy -- --stage ${stage} --module aggregate; remove the stack of a module that is gone: ${removeStack(stage, 'NAME')}; then: npm run deploy -- --stage ${stage}`,
    ],
    [/already exists/, adviseRemoval],
    [isMissing, adviseMissing],
  ];

/** Commands that remove what was made by hand, by type. */
const removals: Record<string, string> = {
  'AWS::Logs::LogGroup': 'aws logs delete-log-group --log-group-name',
  'AWS::Lambda::Function': 'aws lambda delete-function --function-name',
  'AWS::CloudWatch::Dashboard': 'aws cloudwatch delete-dashboards --dashboard-names',
};

function adviseRemoval({ type, reason }: ResourceFailure, { region, stage }: FailedStack): string {
  const [, name = 'NAME'] = /identifier '(?:\{[^}]*":")?([^"'}]+)/.exec(reason) ?? [];
  const command = removals[type];
  const removal = command
    ? `run: ${command} ${name} --region ${region}`
    : `remove ${name}, which was made by hand`;
  return `${removal}; then: npm run deploy -- --stage ${stage}`;
}

function adviseMissing({ id, type }: ResourceFailure, { stage, stack }: FailedStack): string {
  const found = `${id} (${type}) was removed outside of CloudFormation`;
  if (stack === coreStack) return `${found}: see docs/deploy-trouble.md, "Removed by hand"`;
  return `${found}. The stack holds no data, so run: ${removeStack(stage, stack)}; then: npm run deploy -- --stage ${stage}`;
}

/** What mends a stack in the state `UPDATE_ROLLBACK_FAILED`. */
export async function adviseStuck(stack: FailedStack): Promise<string> {
  const name = toStackName(stack.stack, stack.stage);
  const failures = await readFailures(stack.region, name);
  const missing = failures.find(({ reason }) => isMissing.test(reason));
  if (missing) return adviseMissing(missing, stack);
  const skipped = failures.map(({ id }) => id).join(' ');
  const command = `aws cloudformation continue-update-rollback --stack-name ${name}`;
  return `Look at the stack's events, then run: ${command}${skipped && ` --resources-to-skip ${skipped}`}`;
}

/** Distinct reasons that a message names. */
const mostReasons = 3;

/**
 * Why CloudFormation did not end the last change of a stack, and what mends it.
 *
 * @returns lines of text; empty if the stack is not in a state of failure
 */
export async function explainStack(stack: FailedStack): Promise<string[]> {
  const name = toStackName(stack.stack, stack.stage);
  const found = await findStack(new CloudFormationClient({ region: stack.region }), name);
  const status = String(found?.StackStatus);
  if (!found || !/ROLLBACK|FAILED/.test(status)) return [];
  const failures = await readFailures(stack.region, name);
  const reasons = new Map(failures.map((failure) => [failure.reason, failure]));
  const lines = [...reasons.values()].slice(0, mostReasons).flatMap((failure) => {
    const { id, type, reason } = failure;
    const [, advise] = advices.find(([words]) => words.test(reason)) ?? [];
    return [`${id} (${type}): ${reason}`, ...(advise ? [`  ${advise(failure, stack)}`] : [])];
  });
  return [`${name} is ${status}.`, ...lines];
}
