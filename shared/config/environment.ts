/** The checked environment. Only this file reads the service's own variables; `.env.example` lists them. */
export interface Environment {
  /** Secrets that all keys are derived from; the first signs, all verify. */
  appKeys: readonly string[];
  tableName: string;
  /** Another endpoint than the region's own; undefined when deployed. */
  dynamodbEndpoint: string | undefined;
  /** The usual variables of AWS. */
  aws: {
    region: string | undefined;
    /** Replaces the region's endpoint, for example by one of a private network. */
    dynamodbEndpoint: string | undefined;
  };
  redisUrl: string;
  redisToken: string;
  /** Base URL of this site without a trailing slash. */
  publicUrl: string;
  /** Other base URLs of this site, also former ones; recognised when links are saved. */
  publicUrlAliases: readonly string[];
  /** Origins whose pages may call the API; checked in `shared/config/cors.ts`. */
  corsOrigins: readonly string[];
  logLevel: LogLevel;
  /** Whether this is a function on AWS Lambda. */
  isDeployed: boolean;
  /** Where metrics are counted; undefined if not deployed. */
  metricsPlace: { namespace: string; stage: string } | undefined;
  /** Folder of the install lock and the local server's data; undefined if not set. */
  dataDir: string | undefined;
  /** Folder that local storage writes to; undefined if no lasting disk is known. */
  storageDir: string | undefined;
  /** Multiplies the limit of every throttle. */
  throttleFactor: number;
  /** Whether settings may name hosts on private networks; by default only locally. */
  allowPrivateEndpoints: boolean;
  /** IANA name of the time zone for days; `shared/config/local-time.ts` checks it on first use. */
  timeZone: string;
}

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** A variable is missing or invalid; the message names it and says how to correct it. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

/** The error for an invalid variable that is not a secret. @param expected which values are valid */
export const refuse = (name: string, value: string, expected: string): EnvironmentError =>
  new EnvironmentError(`${name} is "${value}": it takes ${expected}`);

const minimumKeyCharacters = 32;

/** @throws EnvironmentError naming the first variable that is missing or invalid */
export function readEnvironment(source: NodeJS.ProcessEnv): Environment {
  const required = (name: string): string => {
    const value = source[name];
    if (!value) throw new EnvironmentError(`${name} is not set: see .env.example`);
    return value;
  };
  const optionalUrl = (name: string): string | undefined =>
    source[name] ? checkUrl(name, source[name]) : undefined;
  const isDeployed = source.AWS_LAMBDA_RUNTIME_API !== undefined;
  const appKeys = required('APP_KEY')
    .split(',')
    .map((key) => key.trim());
  if (appKeys.some((key) => key.length < minimumKeyCharacters)) {
    throw new EnvironmentError(`APP_KEY: each key needs at least ${minimumKeyCharacters} characters`);
  }
  return {
    appKeys,
    tableName: checkTableName(required('TABLE_NAME')),
    dynamodbEndpoint: optionalUrl('DYNAMODB_ENDPOINT'),
    aws: {
      region: source.AWS_REGION || source.AWS_DEFAULT_REGION || undefined,
      dynamodbEndpoint: optionalUrl('AWS_ENDPOINT_URL_DYNAMODB'),
    },
    redisUrl: checkUrl('UPSTASH_REDIS_REST_URL', required('UPSTASH_REDIS_REST_URL')),
    redisToken: checkToken('UPSTASH_REDIS_REST_TOKEN', required('UPSTASH_REDIS_REST_TOKEN')),
    publicUrl: checkUrl('PUBLIC_URL', required('PUBLIC_URL')),
    publicUrlAliases: splitList(source.PUBLIC_URL_ALIASES).map((url) => checkUrl('PUBLIC_URL_ALIASES', url)),
    corsOrigins: splitList(source.CORS_ORIGINS),
    logLevel: readLogLevel(source.LOG_LEVEL),
    isDeployed,
    metricsPlace: readMetricsPlace(source.AWS_LAMBDA_LOG_GROUP_NAME),
    dataDir: source.DATA_DIR || undefined,
    // A function's own disk does not last: if deployed, a mount has to be named.
    storageDir: source.STORAGE_DIR || (isDeployed ? undefined : source.DATA_DIR || undefined),
    throttleFactor: readFactor(source.THROTTLE_FACTOR),
    allowPrivateEndpoints:
      readSwitch('ALLOW_PRIVATE_ENDPOINTS', source.ALLOW_PRIVATE_ENDPOINTS) ?? !isDeployed,
    timeZone: source.TZ_NAME || 'Asia/Shanghai',
  };
}

/** Service and stage, from the log group of a deployed function: `/service/stage/stack`. */
function readMetricsPlace(logGroup = ''): Environment['metricsPlace'] {
  const [, namespace, stage] = /^\/([^/]+)\/([^/]+)\/[^/]+$/.exec(logGroup) ?? [];
  // Groups with a name by Lambda have no stage.
  return namespace && stage && namespace !== 'aws' ? { namespace, stage } : undefined;
}

function readFactor(value: string | undefined): number {
  const factor = Number(value || 1);
  if (factor > 0 && Number.isFinite(factor)) return factor;
  throw refuse('THROTTLE_FACTOR', String(value), 'a number above 0');
}

function readSwitch(name: string, value: string | undefined): boolean | undefined {
  if (!value) return undefined;
  if (value === '0' || value === '1') return value === '1';
  throw refuse(name, value, '0 or 1');
}

function checkTableName(value: string): string {
  if (value.length >= 3 && value.length <= 255 && /^[\w.-]+$/.test(value)) return value;
  throw refuse('TABLE_NAME', value, '3 to 255 letters, digits and _.-');
}

/** The entries of a list that is separated by commas. */
export const splitList = (list = ''): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

function checkUrl(name: string, value: string): string {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
    throw refuse(name, value, 'an http(s) URL');
  }
  return value.replace(/(?<!\/)\/+$/, '');
}

/** It becomes part of a header. */
function checkToken(name: string, value: string): string {
  if (!/^[\x21-\x7e]+$/.test(value)) throw new EnvironmentError(`${name} holds more than printable ASCII`);
  return value;
}

function readLogLevel(value: string | undefined): LogLevel {
  if (!value) return 'info';
  const level = logLevels.find((name) => name === value);
  if (!level) throw refuse('LOG_LEVEL', value, logLevels.join(', '));
  return level;
}

let current: Environment | undefined;

/** The checked environment of this process. */
export function environment(): Environment {
  current ??= readEnvironment(process.env);
  return current;
}
