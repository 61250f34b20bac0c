import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AccountState, answerAccount, createAccount } from './aws-account.ts';
import { answerJson, answerLambda, type DoubleData, type JsonAnswer, refuse } from './aws-json.ts';
import type { StackResources } from './cloudformation-resources.ts';
import { answerStacks, type CloudState } from './cloudformation-stacks.ts';
import { answerS3, type DoubleObjects } from './s3.ts';
import { type RunningDouble, serveRaw } from './serve.ts';

/** A stack as the double keeps it. */
export interface DoubleStack {
  status: string;
  tags: Record<string, string>;
  /** Statuses that the next descriptions show before `status`. */
  before?: string[];
  reason?: string;
  /** In ISO 8601. */
  createdAt?: string;
  /** What its last template holds; undefined if its requests had none. */
  resources?: StackResources;
  /** Resources that the last change could not change. */
  failures?: StackFailure[];
}

/** A resource that CloudFormation could not change. */
export interface StackFailure {
  id: string;
  type: string;
  reason: string;
  /** Whether the rollback fails too. */
  isStuck: boolean;
}

/**
 * A double of the AWS services that deployments use: CloudFormation, S3, the caller, the HTTP API, the table,
 * parameters, the environment of functions. The address of a stage's service is `/site` of the double.
 */
export interface CloudFormationDouble extends RunningDouble, DoubleData {
  stacks: Map<string, DoubleStack>;
  /** What the checks before a deployment ask. */
  account: AccountState;
  /** Objects of all deployment buckets. */
  objects: DoubleObjects;
  /** `CreateStack NAME`, `UpdateStack NAME`, `DeleteStack NAME`, in the order they came; cleared by the test. */
  changes: string[];
  /** Updates of these stacks fail and are rolled back. */
  failing: Set<string>;
  /**
   * Named resources of the account: `AWS::Lambda::Function NAME`. Deleted from here, one is removed by hand; added, it
   * was made by hand.
   */
  existing: Set<string>;
  /** Buckets that were removed by hand. */
  missingBuckets: Set<string>;
  /** Deletions of these stacks fail. */
  undeletable: Set<string>;
  /** The message that refuses every description. */
  refusal?: string;
  /** Called at each description of a stack, before the answer. */
  onDescribe: (name: string) => void;
  /**
   * Called at each request to AWS: `UpdateStack`, `PUT /bucket/key`. Cuts the connection before or after its effect, or
   * refuses it because there were too many.
   */
  interrupt?: ((label: string) => 'before' | 'after' | 'throttled' | undefined) | undefined;
  /** Answers a path of the deployed service. @default 200 for everything */
  site: (path: string) => { status: number; body: object };
  /** Forgets everything but the account and the refusal. */
  empty(): void;
  /** Environment variables that point the SDK's clients to the double. */
  environment: NodeJS.ProcessEnv;
}

const works = () => ({ status: 200, body: { code: 'ok' } });

/** Starts the double on a free port of loopback. */
export async function startCloudFormation(): Promise<CloudFormationDouble> {
  const state: Omit<CloudFormationDouble, keyof RunningDouble | 'environment' | 'empty'> = {
    stacks: new Map(),
    account: createAccount(),
    objects: new Map(),
    tables: new Map(),
    parameters: new Map(),
    functions: new Map(),
    changes: [],
    failing: new Set(),
    existing: new Set(),
    missingBuckets: new Set(),
    undeletable: new Set(),
    onDescribe: () => {},
    site: works,
  };
  const double: CloudFormationDouble = Object.assign(state, {
    url: '',
    stop: async () => {},
    environment: {},
    empty() {
      const { stacks, objects, tables, parameters, functions } = double;
      for (const held of [stacks, objects, tables, parameters, functions]) held.clear();
      for (const held of [double.failing, double.undeletable, double.existing, double.missingBuckets])
        held.clear();
      double.changes.length = 0;
      double.interrupt = undefined;
      double.site = works;
    },
  });
  const running = await serveRaw((incoming, response) => answer(incoming, response, double));
  return Object.assign(double, running, {
    environment: {
      AWS_ENDPOINT_URL: running.url,
      AWS_ACCESS_KEY_ID: 'double',
      AWS_SECRET_ACCESS_KEY: 'double',
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_MAX_ATTEMPTS: '1',
      SLS_AWS_MONITORING_FREQUENCY: '1',
    },
  });
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  double: CloudFormationDouble,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const { url = '/', method = 'GET', headers } = incoming;
  if (url.startsWith('/site')) {
    const { status, body: data } = double.site(url.slice('/site'.length));
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'double' });
    response.end(JSON.stringify(data));
    return;
  }
  if (answerAccount(double.account, incoming, body.toString(), response)) return;
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  const form = new URLSearchParams(isForm ? body.toString() : '');
  const target = String(headers['x-amz-target'] ?? '').replace(/^.*\./, '');
  const action = form.get('Action') ?? '';
  const cut = double.interrupt?.(action || target || `${method} ${url}`);
  if (cut === 'before') throw new Error('interrupted');
  if (cut === 'throttled') {
    if (isForm) sendFault(response, 400, 'Throttling', 'Rate exceeded');
    else if (target) sendJson(refuse('ThrottlingException'), response);
    else sendFault(response, 503, 'SlowDown', 'Reduce your request rate');
    return;
  }
  // An effect without its answer.
  if (cut === 'after') response.write = response.end = () => incoming.socket.destroy() as never;
  if (isForm) sendXml(action, form, double, response);
  else if (target) sendJson(answerJson(target, JSON.parse(body.toString()), double), response);
  else if (url.startsWith('/2015-03-31/')) sendJson(answerLambda(url, double), response);
  else if (url.startsWith('/v2/apis/')) sendJson({ body: { apiEndpoint: 'https://api.test' } }, response);
  else answerS3(double, { method, url, headers, body }, response);
}

function sendJson({ status = 200, errorType, body }: JsonAnswer, response: ServerResponse): void {
  if (errorType) response.setHeader('x-amzn-errortype', errorType);
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
}

function sendXml(action: string, form: URLSearchParams, state: CloudState, response: ServerResponse): void {
  const { status = 200, body } = answerStacks(action, form, state);
  if (status !== 200) {
    sendFault(response, status, status === 403 ? 'AccessDenied' : 'ValidationError', body);
    return;
  }
  const xml = `<${action}Response><${action}Result>${body}</${action}Result></${action}Response>`;
  response.writeHead(status, { 'content-type': 'text/xml' }).end(xml);
}

function sendFault(response: ServerResponse, status: number, code: string, message: string): void {
  const fault = `<Code>${code}</Code><Message>${message}</Message>`;
  // S3 has no element around it.
  const xml =
    status === 503
      ? `<Error>${fault}</Error>`
      : `<ErrorResponse><Error><Type>Sender</Type>${fault}</Error></ErrorResponse>`;
  response.writeHead(status, { 'content-type': 'text/xml' }).end(xml);
}
