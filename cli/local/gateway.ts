import type { HapiServer } from 'serverless-offline';
import ServerlessOffline from 'serverless-offline';
import { mapValues } from '#functions/openapi/json-schema.ts';
import { describeHttpApi } from '#functions/stacks/deployment.ts';
import { toSchedule } from '#functions/stacks/function-map.ts';
import { corsOrigins } from '#shared/config/check-environment.ts';
import type { Framework, FrameworkOptions } from '../framework/framework.ts';
import { chooseHiddenAddress, findFreePort } from './free-port.ts';
import type { Front } from './front.ts';
import { type PlannedJob, runJobs } from './run-jobs.ts';

/**
 * Serves functions behind the front, and runs jobs. serverless-offline cannot change its routes, so `replace` starts a
 * new one.
 */
export async function serveBehind(
  front: Front,
  functions: string,
  framework: Framework,
  options: FrameworkOptions,
) {
  const serve = async (found: string) => {
    useFunctions(framework, found);
    const gateway = await startGateway(framework, options);
    front.use(gateway.listener);
    return gateway;
  };
  let gateway = await serve(functions);
  const invoke = (name: string, event: object) => invokeFunction(gateway.lambda, name, event);
  const jobs = runJobs(invoke);
  jobs.use(readSchedules(functions));
  return {
    /** Invokes a function without its routes. @throws Error if it fails */
    invoke,
    async replace(found: string): Promise<void> {
      const former = gateway;
      gateway = await serve(found);
      jobs.use(readSchedules(found));
      await former.stop();
    },
    async stop(): Promise<void> {
      jobs.end();
      await gateway.stop();
    },
  };
}

/** @returns its answer. @throws Error if the gateway does not answer, or the function fails */
async function invokeFunction(server: string, name: string, event: object): Promise<unknown> {
  const response = await fetch(`${server}/2015-03-31/functions/${name}/invocations`, {
    method: 'POST',
    body: JSON.stringify(event),
  });
  const answer = await response.text();
  if (response.ok && !response.headers.has('x-amz-function-error')) return answer && JSON.parse(answer);
  throw new Error(`${name} failed: ${answer.slice(0, 500)}`);
}

const readFunctions = (functions: string): Framework['service']['functions'] => JSON.parse(functions);

const readSchedules = (functions: string): PlannedJob[] =>
  Object.values(readFunctions(functions)).flatMap(({ name, events }) =>
    events.flatMap((event) => ('schedule' in event ? [{ name, ...toSchedule(event.schedule) }] : [])),
  );

/** Without schedules: serverless-offline does not stop those of a replaced gateway. */
const withoutSchedules = (functions: string): Framework['service']['functions'] =>
  mapValues(readFunctions(functions), ({ events, ...definition }) => ({
    ...definition,
    events: events.filter((event) => !('schedule' in event)),
  }));

function useFunctions({ service }: Framework, functions: string): void {
  // Functions read the environment of this process.
  service.provider.environment = {};
  service.provider.httpApi = describeHttpApi(process.env);
  // The API reference, in the local server only.
  const docs = {
    name: 'backend-local-docs',
    handler: 'cli/reference/serve.handler',
    events: ['/docs', '/docs/{file}'].map((path) => ({ httpApi: { method: 'GET', path } })),
  };
  service.functions = { ...withoutSchedules(functions), docs };
}

/** Prints errors only: functions have their own log. */
const log = {
  error: console.error,
  warning: console.warn,
  notice: () => {},
  info: () => {},
  verbose: () => {},
  debug: () => {},
};

async function startGateway(framework: Framework, options: FrameworkOptions) {
  // Who reaches it can invoke any function with any event.
  const host = await chooseHiddenAddress();
  const lambdaPort = await findFreePort(host);
  const own = {
    ...options,
    host,
    // Any: the front uses its listener. A second found port could be the same as the first.
    httpPort: 0,
    lambdaPort,
    // Functions start faster in this process.
    useInProcess: true,
    disableCookieValidation: true,
    // Otherwise it answers 200 after a timeout. Functions check the time themselves.
    noTimeout: true,
    noSponsor: true,
  };
  const offline = new ServerlessOffline(framework, own, { log });
  await withoutTable(() => offline.start());
  const api = offline.internals().getApiGatewayServer();
  answerAsGateway(api, corsOrigins(process.env.CORS_ORIGINS));
  const lambda = `http://${host}:${lambdaPort}`;
  // Functions that start jobs call it.
  process.env.AWS_ENDPOINT_URL_LAMBDA = lambda;
  return { listener: api.listener, lambda, stop: () => offline.end(true) };
}

/** Runs a step without `console.log`, with which serverless-offline prints all routes. */
async function withoutTable(step: () => Promise<void>): Promise<void> {
  const { log: print } = console;
  console.log = () => {};
  try {
    await step();
  } finally {
    console.log = print;
  }
}

/** serverless-offline's answer for a function that fails or cannot be loaded. */
const failure = '{"errorMessage":';

/**
 * Corrects what differs from API Gateway's: CORS headers for origins that are not allowed, and 200 with a stack trace for
 * a function that fails, instead of 500. A trailing slash does not count for routes, but it stays in `rawPath`.
 */
function answerAsGateway(server: HapiServer, origins: readonly string[]): void {
  const allowed = new Set(origins);
  server.ext('onPreHandler', ({ raw, url }, toolkit) => {
    const [path = ''] = raw.req.url?.split('?') ?? [];
    if (path.endsWith('/')) url.pathname = path;
    return toolkit.continue;
  });
  server.ext('onPreResponse', ({ headers, response }, toolkit) => {
    if (!response.isBoom && typeof response.source === 'string' && response.source.startsWith(failure)) {
      return toolkit.response({ message: 'Internal Server Error' }).code(500);
    }
    const answered = response.isBoom ? response.output.headers : response.headers;
    // Without CORS of its own, the gateway passes on what a function answers.
    const isOwn = origins.length === 0 && answered['access-control-allow-origin'] === '*';
    if (isOwn || allowed.has(headers.origin ?? '')) return toolkit.continue;
    for (const name of Object.keys(answered)) if (name.startsWith('access-control-')) delete answered[name];
    return toolkit.continue;
  });
}
