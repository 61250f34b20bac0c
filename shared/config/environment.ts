export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** A variable is missing or invalid; the message names it and says how to correct it. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

/** The error for an invalid variable that is not a secret. @param expected which values are valid */
export const refuse = (name: string, value: string, expected: string): EnvironmentError =>
  new EnvironmentError(`${name} is "${value}": it takes ${expected}`);

/**
 * Only this file reads the service's own variables; `.env.example` lists them.
 *
 * @throws EnvironmentError naming the first variable that is missing or invalid
 */
export function readEnvironment(source: NodeJS.ProcessEnv) {
  const isDeployed = source.AWS_LAMBDA_RUNTIME_API !== undefined;
  const allowed = source.ALLOW_PRIVATE_ENDPOINTS || (isDeployed ? '0' : '1');
  return {
    ...readStores(source),
    /** Base URL of this site without a trailing slash. */
    publicUrl: checkUrl('PUBLIC_URL', required(source, 'PUBLIC_URL')),
    /** Other base URLs of this site, also former ones; recognised when links are saved. */
    publicUrlAliases: splitList(source.PUBLIC_URL_ALIASES).map((url) => checkUrl('PUBLIC_URL_ALIASES', url)),
    /** Origins whose pages may call the API; checked in `shared/config/check-environment.ts`. */
    corsOrigins: splitList(source.CORS_ORIGINS),
    logLevel: readLogLevel(source.LOG_LEVEL),
    /** Whether this is a function on AWS Lambda. */
    isDeployed,
    /** Where metrics are counted; undefined if not deployed. */
    metricsTarget: readMetricsTarget(source.AWS_LAMBDA_LOG_GROUP_NAME),
    /** Folder of the install lock and the local server's data; undefined if not set. */
    dataDir: source.DATA_DIR || undefined,
    /** Folder that local storage writes to; undefined if no lasting disk is known: a function's own does not last. */
    storageDir: source.STORAGE_DIR || (isDeployed ? undefined : source.DATA_DIR || undefined),
    /** Folder of the libraries of `native/`, which packaging sets; undefined if they are this project's own. */
    librariesDir: source.LIBRARIES_DIR || undefined,
    /** The bucket of this stage, for the storage engine `s3`; undefined if it has none. */
    s3Bucket: readBucket(source.S3_BUCKET),
    /** Multiplies the limit of every throttle. */
    throttleFactor: readFactor(source.THROTTLE_FACTOR || '1'),
    /** Whether settings may name hosts on private networks; by default only locally. */
    allowPrivateEndpoints: match('ALLOW_PRIVATE_ENDPOINTS', allowed, /^[01]$/, '0 or 1') === '1',
    /** IANA name of the time zone for days; `shared/config/local-time.ts` checks it on first use. */
    timeZone: source.TZ_NAME || 'Asia/Shanghai',
  };
}

const cachePrefixes = 'up to 32 lowercase letters, digits, - and :';

function readStores(source: NodeJS.ProcessEnv) {
  const optionalUrl = (name: string) => (source[name] ? checkUrl(name, source[name]) : undefined);
  return {
    /** Secrets that all keys are derived from; the first signs, all verify. */
    appKeys: checkKeys(required(source, 'APP_KEY')),
    tableName: checkTableName(required(source, 'TABLE_NAME')),
    /** Another endpoint than the region's own; undefined when deployed. */
    dynamodbEndpoint: optionalUrl('DYNAMODB_ENDPOINT'),
    /** The usual variables of AWS. The endpoint replaces the region's, for example by one of a private network. */
    aws: {
      region: source.AWS_REGION || source.AWS_DEFAULT_REGION || undefined,
      dynamodbEndpoint: optionalUrl('AWS_ENDPOINT_URL_DYNAMODB'),
    },
    redisUrl: checkUrl('UPSTASH_REDIS_REST_URL', required(source, 'UPSTASH_REDIS_REST_URL')),
    /** Stands before every key of the cache, if several stages share it. */
    cachePrefix: match('CACHE_PREFIX', source.CACHE_PREFIX || '', /^[a-z0-9:-]{0,32}$/, cachePrefixes),
    redisToken: checkToken('UPSTASH_REDIS_REST_TOKEN', required(source, 'UPSTASH_REDIS_REST_TOKEN')),
  };
}

function match(name: string, value: string, pattern: RegExp, expected: string): string {
  if (pattern.test(value)) return value;
  throw refuse(name, value, expected);
}

/** The value of `S3_BUCKET` with which a deployment creates the bucket. Functions get its name. */
export const createdBucket = 'create';

function readBucket(value: string | undefined): string | undefined {
  if (!value || value === createdBucket) return undefined;
  const pattern = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;
  return match('S3_BUCKET', value, pattern, '`create`, or a name of 3 to 63 lowercase letters, digits and -');
}

function checkTableName(value: string): string {
  if (value.length >= 3 && value.length <= 255 && /^[\w.-]+$/.test(value)) return value;
  throw refuse('TABLE_NAME', value, '3 to 255 letters, digits and _.-');
}

function required(source: NodeJS.ProcessEnv, name: string): string {
  const value = source[name];
  if (!value) throw new EnvironmentError(`${name} is not set: see .env.example`);
  return value;
}

function checkKeys(list: string): string[] {
  const keys = list.split(',').map((key) => key.trim());
  if (keys.every((key) => key.length >= 32)) return keys;
  throw new EnvironmentError('APP_KEY: each key needs at least 32 characters');
}

/** Where metrics are counted: service and stage. */
export interface MetricsTarget {
  namespace: string;
  stage: string;
}

/** The target, from the log group of a deployed function: `/service/stage/stack`. */
function readMetricsTarget(logGroup = ''): MetricsTarget | undefined {
  const [, namespace, stage] = /^\/([^/]+)\/([^/]+)\/[^/]+$/.exec(logGroup) ?? [];
  // Groups with a name by Lambda have no stage.
  return namespace && stage && namespace !== 'aws' ? { namespace, stage } : undefined;
}

function readFactor(value: string): number {
  const factor = Number(value);
  if (factor > 0 && Number.isFinite(factor)) return factor;
  throw refuse('THROTTLE_FACTOR', value, 'a number above 0');
}

/** The entries of a list that is separated by commas. */
export const splitList = (list = ''): string[] => list.split(',').flatMap((entry) => entry.trim() || []);

function checkUrl(name: string, value: string): string {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol)) throw refuse(name, value, 'an http(s) URL');
  // Clients normalise URLs, and compare those that begin with this one to the letter.
  return url.href.replace(/(?<!\/)\/+$/, '');
}

/** It becomes part of a header. */
function checkToken(name: string, value: string): string {
  if (!/^[\x21-\x7e]+$/.test(value)) throw new EnvironmentError(`${name} holds more than printable ASCII`);
  return value;
}

function readLogLevel(value: string | undefined): LogLevel {
  const level = logLevels.find((name) => name === (value || 'info'));
  if (level) return level;
  throw refuse('LOG_LEVEL', String(value), logLevels.join(', '));
}

let current: ReturnType<typeof readEnvironment> | undefined;

/** The checked environment of this process. */
export const environment = (): ReturnType<typeof readEnvironment> =>
  (current ??= readEnvironment(process.env));
