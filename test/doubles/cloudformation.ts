import type { ServerResponse } from 'node:http';
import { type AccountState, answerAccount, createAccount } from './aws-account.ts';
import { type RunningDouble, serveRaw } from './serve.ts';

/** A stack as the double keeps it. */
export interface DoubleStack {
  status: string;
  tags: Record<string, string>;
  /** Statuses that the next descriptions show before `status`. */
  before?: string[];
}

/** A double of the AWS services that a deployment uses: CloudFormation, the deployment bucket, the caller, the HTTP API. */
export interface CloudFormationDouble extends RunningDouble {
  stacks: Map<string, DoubleStack>;
  /** What the checks before a deployment ask. */
  account: AccountState;
  /** `CreateStack NAME` and `UpdateStack NAME`, in the order they came; cleared by the test. */
  changes: string[];
  /** Updates of these stacks fail and are rolled back. */
  failing: Set<string>;
  /** The message that refuses every description. */
  refusal?: string;
  /** Called at each description of a stack, before the answer. */
  onDescribe: (name: string) => void;
  /** Environment variables that point the SDK's clients to the double. */
  environment: NodeJS.ProcessEnv;
}

const missing = (name: string) => ({ status: 400, body: `Stack with id ${name} does not exist` });

/** Starts the double on a free port of loopback. */
export async function startCloudFormation(): Promise<CloudFormationDouble> {
  const state: Omit<CloudFormationDouble, keyof RunningDouble | 'environment'> = {
    stacks: new Map(),
    account: createAccount(),
    changes: [],
    failing: new Set(),
    onDescribe: () => {},
  };
  const running = await serveRaw(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    if (answerAccount(state.account, incoming, body, response)) return;
    const isForm = incoming.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
    if (!isForm) return answerOthers(incoming.url ?? '/', response);
    const form = new URLSearchParams(body);
    const action = form.get('Action') ?? '';
    const { status = 200, body: content } = answer(action, form, state);
    const xml =
      status === 200
        ? `<${action}Response><${action}Result>${content}</${action}Result></${action}Response>`
        : `<ErrorResponse><Error><Type>Sender</Type><Code>${status === 403 ? 'AccessDenied' : 'ValidationError'}</Code><Message>${content}</Message></Error></ErrorResponse>`;
    response.writeHead(status, { 'content-type': 'text/xml' }).end(xml);
  });
  const environment = {
    AWS_ENDPOINT_URL: running.url,
    AWS_ACCESS_KEY_ID: 'double',
    AWS_SECRET_ACCESS_KEY: 'double',
    AWS_EC2_METADATA_DISABLED: 'true',
    SLS_AWS_MONITORING_FREQUENCY: '1',
  };
  return Object.assign(state, running, { environment });
}

type State = Pick<CloudFormationDouble, 'stacks' | 'changes' | 'failing' | 'onDescribe' | 'refusal'>;
type Answer = { status?: number; body: string };

function answer(action: string, form: URLSearchParams, state: State): Answer {
  const name = (form.get('StackName') ?? '').replace(/^arn:.*stack\/([^/]+)\/.*$/, '$1');
  switch (action) {
    case 'DescribeStacks':
      state.onDescribe(name);
      if (state.refusal) return { status: 403, body: state.refusal };
      return describe(name, state.stacks.get(name));
    case 'CreateStack':
    case 'UpdateStack':
      return change(action, name, form, state);
    case 'DescribeStackEvents':
      return {
        body: `<StackEvents>${renderEvents(name, state.stacks.get(name)?.status ?? '')}</StackEvents>`,
      };
    case 'DescribeStackResource':
      return {
        body: '<StackResourceDetail><PhysicalResourceId>bucket</PhysicalResourceId></StackResourceDetail>',
      };
    case 'ListExports':
      return { body: `<Exports><member><Name>${exportedId}</Name><Value>api</Value></member></Exports>` };
    default:
      return { body: '' };
  }
}

const exportedId = 'backend-prod-HttpApiId';

function describe(name: string, stack: DoubleStack | undefined): Answer {
  if (!stack) return missing(name);
  const tags = Object.entries(stack.tags).map(
    ([key, value]) => `<member><Key>${key}</Key><Value>${value}</Value></member>`,
  );
  const status = stack.before?.shift() ?? stack.status;
  return {
    body: `<Stacks><member><StackName>${name}</StackName><StackStatus>${status}</StackStatus><Tags>${tags.join('')}</Tags><Outputs/></member></Stacks>`,
  };
}

function change(action: string, name: string, form: URLSearchParams, state: State): Answer {
  const old = state.stacks.get(name);
  if (action === 'UpdateStack' && !old) return missing(name);
  state.changes.push(`${action} ${name}`);
  const isFailing = action === 'UpdateStack' && state.failing.has(name);
  state.stacks.set(name, {
    status: isFailing
      ? 'UPDATE_ROLLBACK_COMPLETE'
      : action === 'CreateStack'
        ? 'CREATE_COMPLETE'
        : 'UPDATE_COMPLETE',
    tags: isFailing ? (old?.tags ?? {}) : readTags(form),
  });
  return { body: `<StackId>${toArn(name)}</StackId>` };
}

function readTags(form: URLSearchParams): Record<string, string> {
  const tags: Record<string, string> = {};
  for (let index = 1; form.has(`Tags.member.${index}.Key`); index++) {
    tags[form.get(`Tags.member.${index}.Key`) ?? ''] = form.get(`Tags.member.${index}.Value`) ?? '';
  }
  return tags;
}

const toArn = (name: string) => `arn:aws:cloudformation:us-east-1:123456789012:stack/${name}/id`;

/** The events of the last change, the newest first. */
function renderEvents(name: string, status: string): string {
  const stack = 'AWS::CloudFormation::Stack';
  const began = status.startsWith('CREATE') ? 'CREATE_IN_PROGRESS' : 'UPDATE_IN_PROGRESS';
  const events = [
    [stack, name, status],
    ...(status === 'UPDATE_ROLLBACK_COMPLETE' ? [['AWS::Lambda::Function', 'Broken', 'UPDATE_FAILED']] : []),
    [stack, name, began],
  ];
  return events
    .map(
      ([type, id, state], index) =>
        `<member><EventId>${index}</EventId><StackName>${name}</StackName><LogicalResourceId>${id}</LogicalResourceId><ResourceType>${type}</ResourceType><ResourceStatus>${state}</ResourceStatus></member>`,
    )
    .join('');
}

/** The bucket takes everything and lists nothing; the HTTP API has an address. */
function answerOthers(url: string, response: ServerResponse): void {
  if (url.startsWith('/v2/apis/')) {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"apiEndpoint":"https://api.test"}');
    return;
  }
  const isList = url.includes('list-type=2');
  response.writeHead(200, { 'content-type': 'application/xml', etag: '"etag"' });
  response.end(isList ? '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>' : '');
}
