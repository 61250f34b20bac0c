import { listGates } from '#shared/http/gates.ts';
import type { StreamListener } from '#shared/module/module.ts';
import { listMethods, type Manifest } from './model.ts';
import { fallbackName, serviceName } from './names.ts';

/** A function as `serverless.yml` declares it. */
export interface FunctionDefinition {
  name: string;
  handler: string;
  events: (
    | { httpApi: string | { method: string; path: string } }
    | { schedule: string }
    | { stream: object }
  )[];
  timeout: number;
  memorySize: number;
  reservedConcurrency?: number;
  environment?: Record<string, string>;
  kmsKeyArn?: string;
  package?: { patterns: string[] };
  fileSystemConfig?: { arn: string; localMountPath: string };
  vpc?: { subnetIds: string[]; securityGroupIds: string[] };
}

/** A file system and the network that it is reached in. */
export type StorageMount = Required<Pick<FunctionDefinition, 'fileSystemConfig' | 'vpc'>>;

export interface MapOptions {
  /** Disk of the storage engine `local`, where the deployment has one. */
  mount?: StorageMount | undefined;
  /** Whether the function of the `$default` route is among them. @default true */
  hasFallback?: boolean;
  /** Multiplies the concurrency that routes declare; 0 reserves none. @default 1 */
  concurrencyFactor?: number;
  /** Encrypts the functions' environment, instead of the account's default key. */
  kmsKeyArn?: string | undefined;
  /** The table's stream, as the functions' stack refers to it. */
  streamArn?: object;
}

/** What a function takes from its route, job or listener. */
interface Declared {
  /** Whether the install lock is packaged beside the code. */
  hasLock?: boolean;
  storage?: boolean;
  limits?: { timeoutSeconds?: number; memoryMb?: number; concurrency?: number };
}

/** Folder of the entries, and of the install lock beside them, in the project and in packages. */
const buildFolder = '.build';

/** The file of a function's package that says the service is installed. */
export const lockFile = `${buildFolder}/install.lock`;

/** Enough time for two reads of a database that never answers, each with three tries. */
const defaultLimits = { timeoutSeconds: 20, memoryMb: 512 };

/**
 * Functions: one for each route, job and stream listener, and the one of the gateway's `$default` route.
 *
 * @param stage `local` runs the entries as they are; any other stage deploys their bundles
 */
export function createFunctionMap(
  { routes, jobs, listeners = [] }: Pick<Manifest, 'routes' | 'jobs'> & Partial<Pick<Manifest, 'listeners'>>,
  stage: string,
  { mount, hasFallback = true, streamArn = {}, concurrencyFactor = 1, kmsKeyArn }: MapOptions = {},
): Record<string, FunctionDefinition> {
  const define = (name: string, events: FunctionDefinition['events'], declared: Declared = {}) => {
    const { timeoutSeconds, memoryMb } = { ...defaultLimits, ...declared.limits };
    return {
      name: `${serviceName}-${stage}-${name}`,
      handler: `${buildFolder}/entries/${name}.handler`,
      events,
      timeout: timeoutSeconds,
      memorySize: memoryMb,
      ...(kmsKeyArn && { kmsKeyArn }),
      ...(stage !== 'local' && deploy(declared, mount, concurrencyFactor)),
    };
  };
  const functions: Record<string, FunctionDefinition> = {};
  if (hasFallback) functions[fallbackName] = define(fallbackName, [{ httpApi: '*' }]);
  for (const found of routes) {
    const events = listMethods(found).map((method) => ({ httpApi: { method, path: found.path } }));
    const hasLock = listGates(found.route).some(({ needsInstallLock }) => needsInstallLock);
    functions[found.functionName] = define(found.functionName, events, { ...found.route, hasLock });
  }
  for (const { functionName, job } of jobs) {
    functions[functionName] = define(functionName, [{ schedule: job.schedule }], job);
  }
  for (const { functionName, listener } of listeners) {
    functions[functionName] = define(functionName, [createStreamEvent(listener, streamArn)], listener);
  }
  return functions;
}

/** What only a deployed function has. */
function deploy(
  { hasLock, storage, limits }: Declared,
  mount: StorageMount | undefined,
  concurrencyFactor: number,
): Omit<FunctionDefinition, 'name' | 'handler' | 'events' | 'timeout' | 'memorySize'> {
  const disk = storage ? mount : undefined;
  const reservedConcurrency = Math.ceil((limits?.concurrency ?? 0) * concurrencyFactor);
  const environment = {
    ...(hasLock && { DATA_DIR: `/var/task/${buildFolder}` }),
    ...(disk && { STORAGE_DIR: disk.fileSystemConfig.localMountPath }),
  };
  return {
    package: { patterns: hasLock ? [lockFile] : [] },
    // 0 would never let the function run.
    ...(reservedConcurrency > 0 && { reservedConcurrency }),
    ...(Object.keys(environment).length > 0 && { environment }),
    ...disk,
  };
}

/** Most changes in one call of a listener. So many cache entries can be cleared within the cache's time limit. */
export const streamBatchSize = 200;

/**
 * How a listener is called with changes (docs/decisions/0008-stream.md).
 *
 * @param arn of the stream, as the listener's stack refers to it
 */
function createStreamEvent({ prefixes, maxAgeSeconds }: StreamListener, arn: object) {
  return {
    stream: {
      type: 'dynamodb',
      arn,
      batchSize: streamBatchSize,
      // The latest position would miss what is written while the mapping is created.
      startingPosition: 'TRIM_HORIZON',
      maximumRecordAgeInSeconds: maxAgeSeconds,
      bisectBatchOnFunctionError: true,
      filterPatterns: [{ dynamodb: { Keys: { pk: { S: prefixes.map((prefix) => ({ prefix })) } } } }],
    },
  };
}
