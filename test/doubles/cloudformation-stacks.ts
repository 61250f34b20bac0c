import type { CloudFormationDouble, DoubleStack } from './cloudformation.ts';
import {
  applyTemplate,
  findRefusal,
  forgetResources,
  readTemplate,
  toExisting,
} from './cloudformation-resources.ts';

export type CloudState = Pick<
  CloudFormationDouble,
  | 'stacks'
  | 'changes'
  | 'failing'
  | 'undeletable'
  | 'existing'
  | 'account'
  | 'onDescribe'
  | 'refusal'
  | 'objects'
  | 'tables'
  | 'parameters'
  | 'functions'
> & { url: string };
type Answer = { status?: number; body: string };

const exportedId = 'backend-prod-HttpApiId';
const missing = (name: string) => ({ status: 400, body: `Stack with id ${name} does not exist` });
const toArn = (name: string) => `arn:aws:cloudformation:us-east-1:123456789012:stack/${name}/id`;
const coreName = /^backend-core-(.+)$/;

/** The bucket that a stack keeps its packages in. */
export const toBucketName = (stackName: string): string => `${stackName}-bucket`;

/** Answers an action of CloudFormation, or of the token service. */
export function answerStacks(action: string, form: URLSearchParams, state: CloudState): Answer {
  const name = (form.get('StackName') ?? '').replace(/^arn:.*stack\/([^/]+)\/.*$/, '$1');
  switch (action) {
    case 'DescribeStacks':
      state.onDescribe(name);
      if (state.refusal) return { status: 403, body: state.refusal };
      return name ? describe(name, state) : describeAll(form.get('NextToken') ?? '', state);
    case 'CreateStack':
    case 'UpdateStack':
      return change(action, name, form, state);
    case 'DeleteStack':
      return remove(name, state);
    case 'ContinueUpdateRollback':
      return continueRollback(name, form, state);
    case 'DescribeStackEvents':
      return {
        body: `<StackEvents>${renderEvents(name, state.stacks.get(name))}</StackEvents>`,
      };
    case 'DescribeStackResource':
      if (!state.stacks.has(name)) return missing(name);
      return {
        body: `<StackResourceDetail><PhysicalResourceId>${toBucketName(name)}</PhysicalResourceId></StackResourceDetail>`,
      };
    case 'ListExports':
      return { body: `<Exports><member><Name>${exportedId}</Name><Value>api</Value></member></Exports>` };
    case 'GetCallerIdentity':
      return {
        body: '<Account>123456789012</Account><Arn>arn:aws:sts::123456789012:assumed-role/deploy</Arn>',
      };
    default:
      return { body: '' };
  }
}

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const renderMembers = (pairs: readonly (readonly [string, string])[], key: string, value: string): string =>
  pairs.map(([a, b]) => `<member><${key}>${a}</${key}><${value}>${b}</${value}></member>`).join('');

function renderStack(name: string, stack: DoubleStack, { tables, url }: CloudState): string {
  const status = stack.before?.shift() ?? stack.status;
  const reason = stack.reason ? `<StackStatusReason>${stack.reason}</StackStatusReason>` : '';
  const stage = coreName.exec(name)?.[1];
  const table = [...tables.keys()].find((each) => each.startsWith(`${name}-Table-`));
  const outputs: [string, string][] = stage
    ? [
        ['HttpApiUrl', `${url}/site`],
        ['PublicUrl', `${url}/site`],
        ['AlarmTopicArn', 'arn:aws:sns:us-east-1:123456789012:alarms'],
        ...(table ? [['TableName', table] satisfies [string, string]] : []),
      ]
    : [];
  const parts = [
    `<StackName>${name}</StackName><StackStatus>${status}</StackStatus>${reason}`,
    `<CreationTime>${stack.createdAt ?? '2026-11-01T00:00:00Z'}</CreationTime>`,
    `<Tags>${renderMembers(Object.entries(stack.tags), 'Key', 'Value')}</Tags>`,
    `<Outputs>${renderMembers(outputs, 'OutputKey', 'OutputValue')}</Outputs>`,
  ];
  return `<member>${parts.join('')}</member>`;
}

function describe(name: string, state: CloudState): Answer {
  const stack = state.stacks.get(name);
  return stack ? { body: `<Stacks>${renderStack(name, stack, state)}</Stacks>` } : missing(name);
}

const pageSize = 20;

function describeAll(after: string, state: CloudState): Answer {
  const names = [...state.stacks.keys()].filter((name) => name > after).sort();
  const page = names.slice(0, pageSize);
  const stacks = page.map((name) => renderStack(name, state.stacks.get(name) as DoubleStack, state));
  const next = names.length > page.length ? `<NextToken>${page.at(-1)}</NextToken>` : '';
  return { body: `<Stacks>${stacks.join('')}</Stacks>${next}` };
}

/** The status of a stack after a change, with the resources that could not be changed. */
function changeResources(action: string, name: string, form: URLSearchParams, state: CloudState) {
  const resources = readTemplate(form, state);
  const failures = resources ? applyTemplate(name, resources, state) : [];
  const isUpdate = action === 'UpdateStack';
  if (isUpdate && state.failing.has(name))
    failures.push({ id: 'Broken', type: 'AWS::Lambda::Function', reason: 'Broken', isStuck: false });
  if (failures.length === 0)
    return { status: isUpdate ? 'UPDATE_COMPLETE' : 'CREATE_COMPLETE', failures, resources };
  if (!isUpdate) return { status: 'ROLLBACK_COMPLETE', failures, resources: {} };
  const isStuck = failures.some((each) => each.isStuck);
  const kept = state.stacks.get(name)?.resources;
  return { status: `UPDATE_ROLLBACK_${isStuck ? 'FAILED' : 'COMPLETE'}`, failures, resources: kept };
}

/** States in which CloudFormation takes an update. */
const updatable = /^(CREATE|UPDATE|UPDATE_ROLLBACK|IMPORT)_COMPLETE$/;

function change(action: string, name: string, form: URLSearchParams, state: CloudState): Answer {
  const old = state.stacks.get(name);
  if (action === 'UpdateStack' && !old) return missing(name);
  if (action === 'UpdateStack' && old && !updatable.test(old.status))
    return { status: 400, body: `Stack:${toArn(name)} is in ${old.status} state and can not be updated.` };
  const refusal = findRefusal(readTemplate(form, state) ?? {});
  if (refusal) return { status: 400, body: refusal };
  state.changes.push(`${action} ${name}`);
  const { status, failures, resources } = changeResources(action, name, form, state);
  const tags = failures.length > 0 && old ? old.tags : readTags(form);
  const createdAt = old?.createdAt;
  state.stacks.set(name, {
    status,
    tags,
    failures,
    ...(resources && { resources }),
    ...(createdAt && { createdAt }),
  });
  if (action === 'UpdateStack' && failures.length === 0) fill(name, tags, state);
  return { body: `<StackId>${toArn(name)}</StackId>` };
}

/** Ends a rollback, if what stopped it exists again or is skipped. */
function continueRollback(name: string, form: URLSearchParams, state: CloudState): Answer {
  const stack = state.stacks.get(name);
  if (stack?.status !== 'UPDATE_ROLLBACK_FAILED')
    return { status: 400, body: `Stack:${toArn(name)} is not in a state that allows it` };
  state.changes.push(`ContinueUpdateRollback ${name}`);
  const skipped = [...form].flatMap(([key, value]) =>
    key.startsWith('ResourcesToSkip.member.') ? [value] : [],
  );
  const isDone = (stack.failures ?? []).every(({ id }) => {
    const resource = stack.resources?.[id];
    return skipped.includes(id) || (resource && state.existing.has(toExisting(resource) ?? ''));
  });
  if (isDone) state.stacks.set(name, { ...stack, status: 'UPDATE_ROLLBACK_COMPLETE' });
  return { body: '' };
}

/** What the content of `core` makes. */
function fill(name: string, tags: Record<string, string>, { tables, functions }: CloudState): void {
  const stage = coreName.exec(name)?.[1];
  if (!stage) return;
  const table = `${name}-Table-1`;
  const isProtected = tags['backend:preview'] === undefined;
  if (!tables.has(table)) tables.set(table, { isProtected, tags });
  functions.set(`backend-${stage}-default`, { TABLE_NAME: table });
}

function readTags(form: URLSearchParams): Record<string, string> {
  const tags: Record<string, string> = {};
  for (let index = 1; form.has(`Tags.member.${index}.Key`); index++) {
    tags[form.get(`Tags.member.${index}.Key`) ?? ''] = form.get(`Tags.member.${index}.Value`) ?? '';
  }
  return tags;
}

/** Why CloudFormation cannot delete a stack; undefined if it can. */
function findObstacle(name: string, stack: DoubleStack, state: CloudState): string | undefined {
  if (state.undeletable.has(name)) return 'A resource cannot be deleted';
  if ([...state.objects.keys()].some((key) => key.startsWith(`${toBucketName(name)}/`)))
    return 'The bucket you tried to delete is not empty';
  const importing = [...state.stacks].some(
    ([other, { tags }]) =>
      other !== name &&
      other.startsWith('backend-') &&
      tags.STAGE === stack.tags.STAGE &&
      !coreName.test(other),
  );
  return coreName.test(name) && importing ? 'Export cannot be deleted as it is in use' : undefined;
}

function remove(name: string, state: CloudState): Answer {
  const stack = state.stacks.get(name);
  if (!stack) return { body: '' };
  state.changes.push(`DeleteStack ${name}`);
  const reason = findObstacle(name, stack, state);
  if (reason) {
    const failures = [{ id: 'Held', type: 'AWS::S3::Bucket', reason, isStuck: true }];
    state.stacks.set(name, { ...stack, status: 'DELETE_FAILED', reason, failures });
    return { body: '' };
  }
  state.stacks.delete(name);
  forgetResources(stack, state);
  // The template of other stages retains its table.
  if (stack.tags['backend:preview'] === undefined) return { body: '' };
  for (const table of [...state.tables.keys()]) {
    if (table.startsWith(`${name}-Table-`)) state.tables.delete(table);
  }
  return { body: '' };
}

/** The events of the last change, the newest first. */
function renderEvents(name: string, { status, failures = [] }: Partial<DoubleStack> = {}): string {
  const stack = 'AWS::CloudFormation::Stack';
  const [kind = ''] = /^(?:CREATE|DELETE)/.exec(String(status)) ?? ['UPDATE'];
  const began = status?.startsWith('ROLLBACK') ? 'CREATE' : kind;
  const failed = failures.map(({ id, type, reason }) => [type, id, `${began}_FAILED`, reason]);
  // A resource that stops the rollback fails twice.
  const again = status?.endsWith('ROLLBACK_FAILED') ? failed : [];
  const events = [[stack, name, status], ...again, ...failed, [stack, name, `${began}_IN_PROGRESS`]];
  return events
    .map(
      ([type, id, state, reason], index) =>
        `<member><EventId>${index}</EventId><StackName>${name}</StackName><LogicalResourceId>${id}</LogicalResourceId><ResourceType>${type}</ResourceType><ResourceStatus>${state}</ResourceStatus>${reason ? `<ResourceStatusReason>${escapeXml(reason)}</ResourceStatusReason>` : ''}</member>`,
    )
    .join('');
}
