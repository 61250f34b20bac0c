import { gatewayCors } from '#functions/gateway-cors.ts';
import type { Manifest } from '#functions/model.ts';
import { corsOrigins } from '#shared/config/cors.ts';
import { loadEnvFile } from '../environment.ts';
import type { Framework, FrameworkOptions } from '../framework/framework.ts';
import { readDataDir } from '../project.ts';
import { referenceFunctions } from '../reference/functions.ts';
import { makeDataDir } from './data-directory.ts';
import { followSources } from './follow-sources.ts';
import { openFront } from './front.ts';
import { startGateway } from './gateway.ts';
import { prepare } from './prepare.ts';
import { describeFunctions } from './regenerate.ts';
import { claimDataDir, forgetStack } from './stack-file.ts';
import { type LocalStores, startStores } from './start-stores.ts';
import { runListeners } from './stream/run-listeners.ts';

/** Both addresses that `localhost` may mean. */
const loopback = ['127.0.0.1', '::1'];

const undo: (() => unknown)[] = [];
let isStopping = false;

/**
 * Runs the whole service on this machine for `serverless offline`, until a signal, or until a part of it ends by
 * itself; the process ends with it. serverless-offline's own hooks are not reached: it is started here, behind a
 * server that stays while routes change.
 */
export async function runLocal(
  framework: Framework,
  options: FrameworkOptions,
  manifest: Manifest,
): Promise<never> {
  process.on('SIGINT', () => stop(0));
  process.on('SIGTERM', () => stop(0));
  try {
    await start(framework, options, manifest);
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
  return new Promise(() => {});
}

async function start(framework: Framework, options: FrameworkOptions, manifest: Manifest): Promise<void> {
  loadEnvFile();
  const port = Number(options.httpPort ?? (process.env.PORT || 3000));
  const dataDir = readDataDir();
  const origins = corsOrigins(process.env.CORS_ORIGINS);
  const follower = Promise.withResolvers<ReturnType<typeof followSources>>();
  const settled = async () => (await follower.promise).settled();
  makeDataDir(dataDir);
  await claimDataDir(dataDir, port);
  undo.push(() => forgetStack(dataDir));
  // Requests wait from now on until everything is there.
  const front = await openFront(port, options.host ? [options.host] : loopback, settled);
  undo.push(() => front.close());
  const stores = await startStores(dataDir, port);
  undo.push(() => stores.stop());
  stores.exited.then((reason) => fail(reason));
  await prepare(stores.environment, manifest);

  const { service } = framework;
  const serve = async (found: string) => {
    // Everything that functions read is in the environment of this process.
    service.provider.environment = {};
    service.provider.httpApi = { payload: '2.0', ...gatewayCors(process.env.CORS_ORIGINS) };
    service.functions = { ...JSON.parse(found), ...structuredClone(referenceFunctions) };
    return startGateway(framework, options, origins);
  };
  const functions = describeFunctions(manifest);
  let gateway = await serve(functions);
  front.use(gateway.listener);
  undo.push(() => gateway.stop());
  const replace = async (found: string) => {
    const former = gateway;
    gateway = await serve(found);
    front.use(gateway.listener);
    await former.stop();
  };
  const end = await follow(stores, manifest, () => gateway.lambdaPort);
  undo.push(end);
  const sources = followSources(functions, replace);
  undo.push(() => sources.end());
  follower.resolve(sources);
  const url = `http://localhost:${port}`;
  console.log(
    `Ready: ${url}  API reference: ${url}/docs  (data in ${dataDir}, database ${stores.engine.name})`,
  );
}

function follow(
  { engine, environment, isCacheEmpty }: LocalStores,
  { listeners }: Manifest,
  lambdaPort: () => number,
) {
  const from = isCacheEmpty ? 'LATEST' : 'TRIM_HORIZON';
  return runListeners({ engine, tableName: environment.TABLE_NAME, listeners, lambdaPort, from });
}

async function stop(exitCode: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  for (const step of undo.reverse()) await step();
  process.exit(exitCode);
}

function fail(message: string): void {
  if (isStopping) return;
  console.error(message);
  stop(1);
}
