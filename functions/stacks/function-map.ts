import { listGates } from '#shared/http/gates.ts';
import type { RouteLimits } from '#shared/http/route.ts';
import { readRateMs } from '#shared/jobs/rate.ts';
import type { Job, Schedule } from '#shared/module/job.ts';
import type { StreamListener } from '#shared/module/module.ts';
import { type FoundRoute, listMethods, listPaths, listRouteFunctions, type Manifest } from '../model.ts';
import { fallbackName, serviceName } from '../names.ts';

/** A method and path of the HTTP API, or `*` for its default. */
export type HttpApiEvent = string | { method: string; path: string };

/** An expression of EventBridge, or one of its scheduler with a time zone. */
export type ScheduleEvent =
  | string
  | { method: 'scheduler'; rate: [string]; timezone: string; roleArn: object; input: object };

/** A function as `serverless.yml` declares it. */
export interface FunctionDefinition {
  name: string;
  handler: string;
  events: ({ httpApi: HttpApiEvent } | { schedule: ScheduleEvent } | { stream: object })[];
  timeout: number;
  memorySize: number;
  reservedConcurrency?: number;
  environment?: Record<string, string>;
  kmsKeyArn?: string;
  package?: { patterns: string[] };
  fileSystemConfig?: { arn: string; localMountPath: string };
  vpc?: { subnetIds: string[]; securityGroupIds: string[] };
}

/** A file system and its network. */
export type StorageMount = Required<Pick<FunctionDefinition, 'fileSystemConfig' | 'vpc'>>;

interface MapOptions {
  /** Disk of the storage engine `local`, if the deployment has one. */
  mount?: StorageMount | undefined;
  /** Adds the function of the `$default` route. @default true */
  hasFallback?: boolean;
  /** Multiplies the concurrency that routes declare; 0 reserves none. @default 1 */
  concurrencyFactor?: number;
  /** Encrypts the functions' environment, instead of the account's default key. */
  kmsKeyArn?: string | undefined;
  /** The table's stream, as the functions' stack refers to it. */
  streamArn?: object | string;
}

/** The declarations of a route, job or listener that its function uses. */
interface Declared {
  /** Packages the install lock beside the code. */
  hasLock?: boolean;
  storage?: boolean;
  /** Packages the libraries of `native/`. */
  libraries?: boolean;
  limits?: RouteLimits;
}

/** Allows two database reads of three tries each. */
const defaultTimeoutSeconds = 20;

/** Folder of the entries, and of the install lock beside them, in the project and in packages. */
const buildFolder = '.build';

/** File in a package. It marks the service as installed. */
export const lockFile = `${buildFolder}/install.lock`;

/** Folder of the libraries with machine code (docs/decisions/0066-image-variants.md). */
export const librariesFolder = 'native';

/** Names the folder to a function. */
const librariesVariable = 'LIBRARIES_DIR';

/** Whether a function is packaged with the libraries. */
export const hasLibraries = ({ environment = {} }: Pick<FunctionDefinition, 'environment'>): boolean =>
  librariesVariable in environment;

/** One function for each route or folder of routes, each job and each stream listener. @param stage `local` runs entries; others deploy bundles */
export function createFunctionMap(
  { routes, jobs, listeners = [] }: Pick<Manifest, 'routes' | 'jobs'> & Partial<Pick<Manifest, 'listeners'>>,
  stage: string,
  options: MapOptions = {},
): Record<string, FunctionDefinition> {
  const { hasFallback = true, streamArn = {}, kmsKeyArn } = options;
  const define = (name: string, events: FunctionDefinition['events'], declared: Declared = {}) => {
    const { timeoutSeconds: timeout = defaultTimeoutSeconds, memoryMb: memorySize = 512 } =
      declared.limits ?? {};
    return {
      name: `${serviceName}-${stage}-${name}`,
      handler: `${buildFolder}/entries/${name}.handler`,
      events,
      timeout,
      memorySize,
      ...(kmsKeyArn && { kmsKeyArn }),
      ...(stage !== 'local' && deploy(declared, options)),
    };
  };
  const functions: Record<string, FunctionDefinition> = {};
  if (hasFallback) functions[fallbackName] = define(fallbackName, [{ httpApi: '*' }]);
  for (const { name, routes: own } of listRouteFunctions(routes)) {
    const events = own.flatMap((found) =>
      listPaths(found).flatMap((path) => listMethods(found).map((method) => ({ httpApi: { method, path } }))),
    );
    const hasLock = own.some(({ route }) =>
      listGates(route).some(({ needsInstallLock }) => needsInstallLock),
    );
    functions[name] = define(name, events, { ...joinLimits(own), hasLock });
  }
  for (const { functionName, job } of jobs) {
    functions[functionName] = define(functionName, [{ schedule: createScheduleEvent(job) }], job);
  }
  for (const { functionName, listener } of listeners) {
    functions[functionName] = define(functionName, [createStreamEvent(listener, streamArn)], listener);
  }
  return functions;
}

/** Routes that share a function have no limit of their own but the timeout. */
function joinLimits([first, ...others]: readonly FoundRoute[]): Declared {
  if (others.length === 0) return { ...first?.route };
  const timeouts = [first, ...others].map(
    (found) => found?.route.limits?.timeoutSeconds ?? defaultTimeoutSeconds,
  );
  return { limits: { timeoutSeconds: Math.max(...timeouts) } };
}

/** The role with which the scheduler of AWS invokes the jobs of a stack. */
export const scheduleRole = 'ScheduleRole';

/** Rules of EventBridge know no time zones; its scheduler does. */
function createScheduleEvent({ schedule, timeZone = 'UTC' }: Job): ScheduleEvent {
  if (readRateMs(schedule) !== undefined) return schedule;
  return {
    method: 'scheduler',
    rate: [schedule],
    timezone: timeZone,
    roleArn: { 'Fn::GetAtt': [scheduleRole, 'Arn'] },
    input: { due: '<aws.scheduler.scheduled-time>' },
  };
}

/** The schedule that an event declares. */
export const toSchedule = (event: ScheduleEvent): Schedule =>
  typeof event === 'string' ? { schedule: event } : { schedule: event.rate[0], timeZone: event.timezone };

/** Settings of deployed functions only. */
function deploy(
  { hasLock, storage, libraries, limits }: Declared,
  { mount, concurrencyFactor = 1 }: MapOptions,
) {
  const disk = storage ? mount : undefined;
  const reservedConcurrency = Math.ceil((limits?.concurrency ?? 0) * concurrencyFactor);
  const environment = {
    ...(hasLock && { DATA_DIR: `/var/task/${buildFolder}` }),
    ...(disk && { STORAGE_DIR: disk.fileSystemConfig.localMountPath }),
    ...(libraries && { [librariesVariable]: `/var/task/${librariesFolder}` }),
  };
  return {
    package: {
      patterns: [
        ...(hasLock ? [lockFile] : []),
        ...(libraries ? [`${librariesFolder}/node_modules/**`] : []),
      ],
    },
    // With 0, Lambda never runs the function.
    ...(reservedConcurrency > 0 && { reservedConcurrency }),
    ...(Object.keys(environment).length > 0 && { environment }),
    ...disk,
  };
}

/** Most changes in one call of a listener: their cache entries can be cleared within the cache's time limit. */
export const streamBatchSize = 200;

/** @param arn of the stream, as the listener's stack refers to it (docs/decisions/0008-stream.md) */
const createStreamEvent = ({ prefixes, maxAgeSeconds }: StreamListener, arn: object | string) => ({
  stream: {
    type: 'dynamodb',
    arn,
    batchSize: streamBatchSize,
    // LATEST would miss writes while the mapping is created.
    startingPosition: 'TRIM_HORIZON',
    maximumRecordAgeInSeconds: maxAgeSeconds,
    bisectBatchOnFunctionError: true,
    filterPatterns: [{ dynamodb: { Keys: { pk: { S: prefixes.map((prefix) => ({ prefix })) } } } }],
  },
});
