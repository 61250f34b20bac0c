import type { Server } from 'node:http';
import type { HapiResponse, HapiServer } from 'serverless-offline';
import ServerlessOffline from 'serverless-offline';
import { gatewayCors } from '#functions/gateway-cors.ts';
import { corsOrigins } from '#shared/config/cors.ts';
import type { Framework, FrameworkOptions } from '../framework/framework.ts';
import { findFreePort } from './free-port.ts';
import type { Front } from './front.ts';

/** API Gateway and Lambda of the local server: one serverless-offline after another, behind the front. */
export interface Gateways {
  /** Where functions can be invoked past their routes, at this time. */
  lambdaPort(): number;
  /** Serves other functions from now on. */
  replace(functions: string): Promise<void>;
  stop(): Promise<void>;
}

interface Gateway {
  /** Takes requests that reach the front's port. */
  listener: Server;
  lambdaPort: number;
  stop(): Promise<void>;
}

/**
 * Serves functions behind the front. serverless-offline cannot change its routes, so that another one is started
 * if they have changed.
 *
 * @param functions as `describeFunctions` writes them
 */
export async function serveBehind(
  front: Front,
  functions: string,
  framework: Framework,
  options: FrameworkOptions,
): Promise<Gateways> {
  const serve = async (found: string): Promise<Gateway> => {
    const gateway = await startGateway(useFunctions(framework, found), options);
    front.use(gateway.listener);
    return gateway;
  };
  let gateway = await serve(functions);
  return {
    lambdaPort: () => gateway.lambdaPort,
    async replace(found) {
      const former = gateway;
      gateway = await serve(found);
      await former.stop();
    },
    stop: () => gateway.stop(),
  };
}

/** The API reference. Only the local server has it. */
const referenceFunctions = {
  docs: {
    name: 'backend-local-docs',
    handler: 'cli/reference/serve.handler',
    events: ['/docs', '/docs/{file}'].map((path) => ({ httpApi: { method: 'GET', path } })),
  },
};

/** Gives the framework's service what runs locally, in place of what is deployed. */
function useFunctions(framework: Framework, functions: string): Framework {
  const { service } = framework;
  // Everything that functions read is in the environment of this process.
  service.provider.environment = {};
  service.provider.httpApi = { payload: '2.0', ...gatewayCors(process.env.CORS_ORIGINS) };
  service.functions = { ...JSON.parse(functions), ...structuredClone(referenceFunctions) };
  return framework;
}

/** What goes wrong; the functions' own log has the rest. */
const log = {
  error: console.error,
  warning: console.warn,
  notice: () => {},
  info: () => {},
  verbose: () => {},
  debug: () => {},
};

const host = '127.0.0.1';

/** Starts serverless-offline for the functions of the framework's service, on ports of its own. */
async function startGateway(framework: Framework, options: FrameworkOptions): Promise<Gateway> {
  const lambdaPort = await findFreePort();
  const own = {
    ...options,
    host,
    httpPort: await findFreePort(),
    lambdaPort,
    // One process for all functions: they are made to run side by side, and start at once.
    useInProcess: true,
    disableCookieValidation: true,
    // It would answer 200 for a function that ran out of time; the chain itself keeps the time.
    noTimeout: true,
    noSponsor: true,
  };
  const offline = new ServerlessOffline(framework, own, { log });
  await withoutTable(() => offline.start());
  const api = offline.internals().getApiGatewayServer();
  answerAsGateway(api, corsOrigins(process.env.CORS_ORIGINS));
  return { listener: api.listener, lambdaPort, stop: () => offline.end(true) };
}

/** Runs a step without `console.log`, by which serverless-offline prints a table of all routes. */
async function withoutTable(step: () => Promise<void>): Promise<void> {
  const { log: print } = console;
  console.log = () => {};
  try {
    await step();
  } finally {
    console.log = print;
  }
}

/** What serverless-offline makes of a function that fails, or whose module cannot be loaded. */
const failure = '{"errorMessage":';

/**
 * Changes what serverless-offline answers differently from the gateway that it stands for:
 * - it answers simple requests of every origin as if CORS allowed them;
 * - a function that fails is a 200 with its error and stack trace, not a 500 without them.
 *
 * @param origins whose pages may read answers
 */
function answerAsGateway(server: HapiServer, origins: readonly string[]): void {
  const allowed = new Set(origins);
  server.ext('onPreResponse', ({ headers, response }, toolkit) => {
    if (!response.isBoom && typeof response.source === 'string' && response.source.startsWith(failure)) {
      return toolkit.response({ message: 'Internal Server Error' }).code(500);
    }
    if (!allowed.has(headers.origin ?? '')) dropCors(response.isBoom ? response.output : response);
    return toolkit.continue;
  });
}

function dropCors({ headers }: Pick<HapiResponse, 'headers'>): void {
  for (const name of Object.keys(headers)) if (name.startsWith('access-control-')) delete headers[name];
}
