import type { Manifest } from '#functions/model.ts';
import { readPort } from '#shared/config/check-environment.ts';
import { explain } from '../command.ts';
import { describeAdministrator, installService, migrateService } from '../commands/install.ts';
import { needsConsole } from '../console/build-console.ts';
import { loadEnvFile } from '../environment.ts';
import type { Framework, FrameworkOptions } from '../framework/framework.ts';
import { readDataDir } from '../project.ts';
import { claimDataDir, forgetStack, makeFolder, protectDataDir } from './data-directory.ts';
import { followConsole } from './follow-console.ts';
import { describeFunctions, followSources, type SourceFollower, selectLocal } from './follow-sources.ts';
import { findFreePort } from './free-port.ts';
import { openFront } from './front.ts';
import { serveBehind } from './gateway.ts';
import { startStores } from './start-stores.ts';
import { runListeners } from './stream/run-listeners.ts';

/** The addresses of `localhost`. */
const loopback = ['127.0.0.1', '::1'];

const undo: (() => unknown)[] = [];
let isStopping = false;

/**
 * Runs the whole service on this machine for `serverless offline`, until a signal or the end of a store. Then the
 * process ends, so serverless-offline's own hooks do not run.
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
    fail(explain(error));
  }
  return new Promise(() => {});
}

async function start(framework: Framework, options: FrameworkOptions, manifest: Manifest): Promise<void> {
  loadEnvFile();
  const { PORT } = process.env;
  const { httpPort } = options;
  const chosen =
    httpPort === undefined ? readPort(PORT || undefined) : readPort(String(httpPort), '--httpPort');
  const port = chosen || (await findFreePort());
  const dataDir = readDataDir();
  makeFolder(dataDir, 'DATA_DIR');
  if (protectDataDir(dataDir)) console.log(`${dataDir}: other users have no access any more (mode 0700)`);
  await claimDataDir(dataDir, port);
  undo.push(() => forgetStack(dataDir));
  // Requests wait for the end of the start.
  const ready = Promise.withResolvers<SourceFollower>();
  const settled = async () => (await ready.promise).settled();
  const front = await openFront(port, options.host ? [options.host] : loopback, settled);
  undo.push(() => front.close());
  const stores = await startStores(dataDir, port);
  undo.push(() => stores.stop());
  stores.exited.then((reason) => fail(reason));
  const { administrator, isOutdated } = await installService(manifest);
  if (administrator) console.log(describeAdministrator(administrator));
  if (isOutdated) {
    const done = await migrateService(manifest.modules);
    console.log(`Migrated data of an older version: ${done.join('; ') || 'nothing had to change'}`);
  }

  const functions = describeFunctions(manifest);
  const gateways = await serveBehind(front, functions, framework, options);
  undo.push(() => gateways.stop());
  const { engine, tableName, isCacheEmpty } = stores;
  const from = isCacheEmpty ? 'LATEST' : 'TRIM_HORIZON';
  const { listeners } = selectLocal(manifest);
  undo.push(await runListeners(engine, tableName, from, listeners, gateways.invoke));
  const sources = followSources(functions, gateways.replace, () => follower?.check());
  undo.push(() => sources.end());
  ready.resolve(sources);
  const url = `http://localhost:${port}`;
  const details = `(data in ${dataDir}, database ${engine.name})`;
  console.log(`Ready: ${url}  Console: ${url}/console/  API reference: ${url}/docs  ${details}`);
  const follower = needsConsole(selectLocal(manifest))
    ? followConsole(`${url}/console/`, sources.renew)
    : undefined;
  undo.push(() => follower?.end());
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
