import type { Server } from 'node:http';
import ServerlessOffline from 'serverless-offline';
import type { Framework, FrameworkOptions } from '../framework/framework.ts';
import { answerAsGateway } from './answer-as-gateway.ts';
import { findFreePort } from './free-port.ts';

/** API Gateway and Lambda of the local server: serverless-offline, behind the front. */
export interface Gateway {
  /** Takes requests without listening to the front's port. */
  readonly listener: Server;
  /** Where functions can be invoked past their routes. */
  readonly lambdaPort: number;
  stop(): Promise<void>;
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

/**
 * Starts serverless-offline for the functions of the framework's service, on ports of its own. It cannot change
 * its routes, so that another one is started if they have changed.
 *
 * @param origins whose pages may read answers
 */
export async function startGateway(
  framework: Framework,
  options: FrameworkOptions,
  origins: readonly string[],
): Promise<Gateway> {
  const lambdaPort = Number(options.lambdaPort ?? (await findFreePort()));
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
  answerAsGateway(api, origins);
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
