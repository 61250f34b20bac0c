import { generate } from '#functions/generate.ts';
import { describeAdministrator } from '../commands/install.ts';
import { loadEnvFile } from '../environment.ts';
import { install } from '../install.ts';
import { printWarnings } from '../print-warnings.ts';
import { readDataDir, root } from '../project.ts';
import { assertPortFree } from './assert-port-free.ts';
import { readLocalSecrets } from './data-directory.ts';
import { startDynamoDbEngine } from './dynamodb-engine.ts';
import { findFreePort } from './free-port.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { describeFunctions, regenerate } from './regenerate.ts';
import { forgetStack, rememberStack } from './stack-file.ts';
import { runListeners } from './stream/run-listeners.ts';
import { startUpstashEndpoint } from './upstash/start-upstash-endpoint.ts';
import { watchSources } from './watch.ts';

// `npm start`: the whole service on this machine.

const undo: (() => unknown)[] = [];
let isStopping = false;

async function stop(exitCode: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  for (const step of undo.reverse()) await step();
  process.exit(exitCode);
}

async function start(): Promise<void> {
  loadEnvFile();
  const port = Number(process.env.PORT || 3000);
  const dataDir = readDataDir();
  await assertPortFree(port);

  const secrets = readLocalSecrets(dataDir);
  const engine = await startDynamoDbEngine({ dataDir, environment: process.env });
  undo.push(() => engine.stop());
  const redis = await openRedis(secrets.redisToken);
  const lambdaPort = await findFreePort();
  const environment = {
    APP_KEY: process.env.APP_KEY || secrets.appKey,
    DATA_DIR: dataDir,
    STORAGE_DIR: process.env.STORAGE_DIR || dataDir,
    DYNAMODB_ENDPOINT: engine.endpoint,
    PUBLIC_URL: process.env.PUBLIC_URL || `http://localhost:${port}`,
    TABLE_NAME: process.env.TABLE_NAME || 'backend-local',
    ...redis.environment,
  };
  Object.assign(process.env, environment);
  undo.push(() => forgetStack(dataDir));
  rememberStack(dataDir, environment);

  const { functions, listeners } = await installHere(environment);
  engine.exited.then(() => fail(`the ${engine.name} engine ended by itself`));
  const starting = startGateway({
    root,
    port,
    lambdaPort,
    environment: process.env,
    onExit: () => fail('the gateway ended by itself'),
  });
  undo.push(() => starting.then((gateway) => gateway.stop()).catch(() => {}));
  const from = redis.isEmpty ? 'LATEST' : 'TRIM_HORIZON';
  const running = runListeners({ engine, tableName: environment.TABLE_NAME, listeners, lambdaPort, from });
  undo.push(() => running.then((end) => end()).catch(() => {}));
  undo.push(followSources(starting, functions));
  await Promise.all([starting, running]);
  const url = `http://localhost:${port}`;
  console.log(`Ready: ${url}  API reference: ${url}/docs  (data in ${dataDir}, database ${engine.name})`);
}

/** The cache: one that runs elsewhere may hold what was changed while this was not running. */
async function openRedis(token: string) {
  const { UPSTASH_REDIS_REST_URL, UPSTASH_REDIS_REST_TOKEN, REDIS_URL } = process.env;
  if (UPSTASH_REDIS_REST_URL) {
    return { environment: { UPSTASH_REDIS_REST_URL, UPSTASH_REDIS_REST_TOKEN }, isEmpty: false };
  }
  const endpoint = await startUpstashEndpoint({ token, redisUrl: REDIS_URL || undefined });
  undo.push(() => endpoint.stop());
  const environment = { UPSTASH_REDIS_REST_URL: endpoint.url, UPSTASH_REDIS_REST_TOKEN: token };
  return { environment, isEmpty: !REDIS_URL };
}

/** Installs what is missing; answers the functions and stream listeners that there are. */
async function installHere(environment: Record<'DATA_DIR' | 'STORAGE_DIR' | 'TABLE_NAME', string>) {
  const manifest = await generate(root);
  printWarnings(manifest);
  const { administrator } = await install({
    tableName: environment.TABLE_NAME,
    dataDir: environment.DATA_DIR,
    storageDir: environment.STORAGE_DIR,
    modules: manifest.modules.map((found) => found.manifest),
    account: process.env.ADMIN_ACCOUNT || undefined,
    password: process.env.ADMIN_PASSWORD || undefined,
  });
  if (administrator) console.log(describeAdministrator(administrator));
  return { functions: describeFunctions(manifest), listeners: manifest.listeners };
}

/**
 * Brings every change of the sources into the running gateway; a broken one is told and changes nothing.
 *
 * @param known the functions that the gateway starts with
 */
function followSources(starting: Promise<Gateway>, known: string): () => void {
  let functions = known;
  let work: Promise<unknown> = starting;
  const follow = async () => {
    try {
      const gateway = await starting;
      const found = await regenerate();
      const isSame = found === functions;
      // After a start that failed nothing counts as known, so that the next change tries again.
      functions = '';
      if (isSame) gateway.reload();
      else await gateway.restart();
      functions = found;
      console.log(isSame ? 'Reloaded.' : 'Restarted: the routes have changed.');
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
    }
  };
  return watchSources(root, ['modules', 'shared'], () => {
    work = work.then(follow, follow);
  });
}

function fail(message: string): void {
  if (isStopping) return;
  console.error(message);
  stop(1);
}

process.on('SIGINT', () => stop(0));
process.on('SIGTERM', () => stop(0));
start().catch((error: Error) => fail(error.message));
