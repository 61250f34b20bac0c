import { corsOrigins } from '#shared/config/cors.ts';
import { loadEnvFile } from '../environment.ts';
import { readDataDir, root } from '../project.ts';
import { assertPortFree } from './assert-port-free.ts';
import { readLocalSecrets } from './data-directory.ts';
import { startDynamoDbEngine } from './dynamodb-engine.ts';
import { followSources } from './follow-sources.ts';
import { findFreePort } from './free-port.ts';
import { startGateway } from './gateway/gateway.ts';
import { openRedis } from './open-redis.ts';
import { forgetStack, rememberStack } from './stack-file.ts';
import { runListeners } from './stream/run-listeners.ts';

// Runs the local stack until a signal, or until a part of it ends by itself.

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
  // What is wrong there would stop the gateway, which tells it at length.
  corsOrigins(process.env.CORS_ORIGINS);
  await assertPortFree(port);

  const secrets = readLocalSecrets(dataDir);
  const engine = await startDynamoDbEngine({ dataDir, environment: process.env });
  undo.push(() => engine.stop());
  const redis = await openRedis(secrets.redisToken);
  undo.push(() => redis.close());
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

  // The gateway loads while the modules are read and installed.
  const lambdaPort = await findFreePort();
  const onExit = () => fail('the gateway ended by itself');
  const gateway = startGateway({ root, port, lambdaPort, environment: process.env, onExit });
  undo.push(() => gateway.stop());
  const { prepare } = await import('./prepare.ts');
  const { functions, listeners } = await prepare(environment);
  engine.exited.then(() => fail(`the ${engine.name} engine ended by itself`));
  const serving = gateway.serve(functions);
  const from = redis.isEmpty ? 'LATEST' : 'TRIM_HORIZON';
  const running = runListeners({ engine, tableName: environment.TABLE_NAME, listeners, lambdaPort, from });
  undo.push(() => running.then((end) => end()).catch(() => {}));
  undo.push(followSources(gateway, serving, functions));
  await Promise.all([serving, running]);
  const url = `http://localhost:${port}`;
  console.log(`Ready: ${url}  API reference: ${url}/docs  (data in ${dataDir}, database ${engine.name})`);
}

function fail(message: string): void {
  if (isStopping) return;
  console.error(message);
  stop(1);
}

process.on('SIGINT', () => stop(0));
process.on('SIGTERM', () => stop(0));
start().catch((error: Error) => fail(error.message));
