import type { IncomingMessage, ServerResponse } from 'node:http';
import { type RunningDouble, serveRaw } from './serve.ts';

/** A service as signatures name it. */
export type AwsService = 'sts' | 'lambda' | 'ssm' | 'secretsmanager';

/** What a deployment asks an account before it changes anything. */
export interface AccountState {
  parameters: Map<string, { Type: string; Value: string }>;
  secrets: Map<string, string>;
  /** Concurrency of Lambda: the quota, and the part that no function reserves. */
  concurrency: { quota: number; unreserved: number };
  /** Reserved concurrency of deployed functions. */
  reserved: Map<string, number>;
  /** Regions that the account has not enabled. */
  disabledRegions: Set<string>;
  /** Error codes with which services refuse every request. */
  refusals: Map<AwsService, string>;
  /** Services that never answer. */
  silent: Set<AwsService>;
  /** Services in the order they were asked; cleared by the test. */
  asked: string[];
}

/** An account with room, and nothing in its stores. */
export const createAccount = (): AccountState => ({
  parameters: new Map(),
  secrets: new Map(),
  concurrency: { quota: 1000, unreserved: 1000 },
  reserved: new Map(),
  disabledRegions: new Set(),
  refusals: new Map(),
  silent: new Set(),
  asked: [],
});

/** Puts the parameters of a stage that is ready into the store. */
export function fillParameters(
  state: AccountState,
  stage: string,
  cache: { url: string; token: string },
): void {
  const values = {
    APP_KEY: 'k'.repeat(40),
    UPSTASH_REDIS_REST_URL: cache.url,
    UPSTASH_REDIS_REST_TOKEN: cache.token,
  };
  for (const [name, Value] of Object.entries(values)) {
    state.parameters.set(`/backend/${stage}/${name}`, { Type: 'String', Value });
  }
}

const identity =
  '<GetCallerIdentityResponse><GetCallerIdentityResult><Account>123456789012</Account><Arn>arn:aws:sts::123456789012:assumed-role/deploy</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>';

/** Answers a request to one of the services. @returns false for other services, whose answer is left to others */
export function answerAccount(
  state: AccountState,
  { headers, url = '/' }: IncomingMessage,
  body: string,
  response: ServerResponse,
): boolean {
  const scope = /\/([a-z0-9-]+)\/([a-z]+)\/aws4_request/.exec(headers.authorization ?? '') ?? [];
  const [, region = '', service = ''] = scope;
  const operation = String(headers['x-amz-target'] ?? url);
  if (!isKnown(service) || !operations[service].test(operation)) return false;
  state.asked.push(service);
  if (state.silent.has(service)) return true;
  const isDisabled = service === 'sts' && state.disabledRegions.has(region);
  const refusal = state.refusals.get(service) ?? (isDisabled ? 'InvalidClientTokenId' : undefined);
  if (service === 'sts') {
    const error = `<ErrorResponse><Error><Type>Sender</Type><Code>${refusal}</Code><Message>refused</Message></Error></ErrorResponse>`;
    response.writeHead(refusal ? 403 : 200, { 'content-type': 'text/xml' }).end(refusal ? error : identity);
    return true;
  }
  const answer = refusal ? { code: refusal } : answerJson(state, service, operation, body);
  const { code, ...content } = answer;
  response.writeHead(code ? 400 : 200, {
    'content-type': 'application/json',
    ...(code && { 'x-amzn-errortype': code }),
  });
  response.end(JSON.stringify(code ? { __type: code, message: 'refused' } : content));
  return true;
}

/** The operations that it knows, by the header that names them, or by the path. */
const operations: Record<AwsService, RegExp> = {
  sts: /./,
  lambda: /\/account-settings|\/concurrency/,
  ssm: /\.(?:GetParameters?|PutParameter)$/,
  secretsmanager: /\.GetSecretValue$/,
};

const isKnown = (service: string): service is AwsService =>
  ['sts', 'lambda', 'ssm', 'secretsmanager'].includes(service);

function answerJson(
  state: AccountState,
  service: AwsService,
  operation: string,
  body: string,
): { code?: string; [key: string]: unknown } {
  if (service === 'ssm') {
    const { Name, Names = [Name], Type, Value } = JSON.parse(body);
    if (operation.endsWith('PutParameter')) {
      state.parameters.set(Name, { Type, Value });
      return {};
    }
    const found = Names.flatMap((name: string) => {
      const parameter = state.parameters.get(name);
      return parameter ? [{ Name: name, ...parameter }] : [];
    });
    if (Name) return found.length > 0 ? { Parameter: found[0] } : { code: 'ParameterNotFound' };
    return {
      Parameters: found,
      InvalidParameters: Names.filter((name: string) => !state.parameters.has(name)),
    };
  }
  if (service === 'secretsmanager') {
    const { SecretId }: { SecretId: string } = JSON.parse(body);
    const SecretString = state.secrets.get(SecretId);
    return SecretString === undefined ? { code: 'ResourceNotFoundException' } : { SecretString };
  }
  if (operation.includes('/account-settings')) {
    const { quota, unreserved } = state.concurrency;
    return {
      AccountLimit: { ConcurrentExecutions: quota, UnreservedConcurrentExecutions: unreserved },
    };
  }
  const [, name = ''] = /\/functions\/([^/]+)\/concurrency/.exec(operation) ?? [];
  const concurrency = state.reserved.get(decodeURIComponent(name));
  return concurrency === undefined
    ? { code: 'ResourceNotFoundException' }
    : { ReservedConcurrentExecutions: concurrency };
}

/** Starts the account alone, on a free port of loopback. */
export async function startAccount(): Promise<RunningDouble & { account: AccountState }> {
  const account = createAccount();
  const running = await serveRaw(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const isAnswered = answerAccount(account, incoming, Buffer.concat(chunks).toString(), response);
    if (!isAnswered) response.writeHead(404).end();
  });
  return { ...running, account };
}
