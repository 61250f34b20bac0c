import { checkEnvironment, corsOrigins } from '#shared/config/check-environment.ts';
import { isStageName, serviceName } from '../names.ts';
import type { StorageMount } from './function-map.ts';
import { type DeployTarget, type GivenTable, refer } from './stack.ts';

/** Limits of a stage: half of the default quota of an account in a region, so that other stages have room. */
export const defaultLimits = {
  /** Requests a second to the HTTP API. */
  ratePerSecond: 5_000,
  /** Simultaneous requests above the rate. */
  burst: 2_500,
  /** Multiplies the concurrency that routes declare; 0 reserves none. */
  concurrencyFactor: 1,
};
export type StageLimits = typeof defaultLimits;

/** Reads the limits from the deploying environment. @throws Error naming the variable that is out of range */
export function readLimits(environment: NodeJS.ProcessEnv): StageLimits {
  const read = (name: string, fallback: number, least: number): number => {
    const value = environment[name] ? Number(environment[name]) : fallback;
    if (value >= least && value < Number.POSITIVE_INFINITY) return value;
    throw new Error(`${name} is "${environment[name]}": it takes a number from ${least}`);
  };
  return {
    ratePerSecond: read('GATEWAY_RATE', defaultLimits.ratePerSecond, 1),
    burst: Math.ceil(read('GATEWAY_BURST', defaultLimits.burst, 1)),
    concurrencyFactor: read('CONCURRENCY_FACTOR', defaultLimits.concurrencyFactor, 0),
  };
}

const patterns = {
  SECRET_ID: /^(arn:aws[\w-]*:secretsmanager:[\w-]+:\d{12}:secret:)?[\w/+=.@-]{1,512}$/,
  FUNCTIONS_KMS_KEY_ARN: /^arn:aws[\w-]*:kms:[\w-]+:\d{12}:key\/[\w-]{1,64}$/,
};

/**
 * Where the functions' secrets are (a secret in AWS Secrets Manager, else the parameter store), and the KMS key of
 * their environment (docs/decisions/0016-secrets-of-functions.md). @throws Error naming the invalid variable
 */
export function readSecretOptions(environment: NodeJS.ProcessEnv) {
  for (const [name, pattern] of Object.entries(patterns)) {
    const value = environment[name];
    if (value && !pattern.test(value)) throw new Error(`${name} is "${value}": see docs/deploy.md, Secrets`);
  }
  return {
    secretId: environment.SECRET_ID || undefined,
    kmsKeyArn: environment.FUNCTIONS_KMS_KEY_ARN || undefined,
  };
}

/** A value of the parameter store. CloudFormation reads it when it updates a function. */
export const referParameter = (stage: string, name: string): string =>
  `{{resolve:ssm:/${serviceName}/${stage}/${name}}}`;

/** A key of the secret in AWS Secrets Manager if the deployment has one, else a parameter. */
export const referSecret = (
  stage: string,
  name: string,
  { secretId }: { secretId?: string | undefined },
): string =>
  secretId ? `{{resolve:secretsmanager:${secretId}:SecretString:${name}}}` : referParameter(stage, name);

/** Tag of the stacks of a preview. */
export const previewTag = 'backend:preview';

/**
 * A preview, if the deployment is one: `PREVIEW` is the stage whose parameters it reads, or `own` for its own.
 *
 * @throws Error for an invalid name
 */
export function readPreview({ PREVIEW }: NodeJS.ProcessEnv): { parametersOf?: string } | undefined {
  if (!PREVIEW) return undefined;
  if (PREVIEW === 'own') return {};
  if (isStageName(PREVIEW)) return { parametersOf: PREVIEW };
  throw new Error(`PREVIEW is "${PREVIEW}": it takes the name of a stage, or own`);
}

const streamArn = /^arn:aws[\w-]*:dynamodb:[\w-]+:\d{12}:table\/([\w.-]{3,255})\/stream\/[\d:T.-]+$/;

/**
 * The table of `TABLE` with its stream, if a stage is pointed at another table than its own (docs/operations.md,
 * Restore). @throws Error naming the variable that is missing or invalid
 */
export function readTable({ TABLE, TABLE_STREAM_ARN }: NodeJS.ProcessEnv): GivenTable | undefined {
  if (!TABLE && !TABLE_STREAM_ARN) return undefined;
  if (!TABLE || !TABLE_STREAM_ARN)
    throw new Error(`${TABLE ? 'TABLE_STREAM_ARN' : 'TABLE'} is not set: another table takes both`);
  const [, name] = streamArn.exec(TABLE_STREAM_ARN) ?? [];
  if (name === TABLE) return { name, streamArn: TABLE_STREAM_ARN };
  throw new Error(`TABLE_STREAM_ARN is "${TABLE_STREAM_ARN}": it takes the stream of the table ${TABLE}`);
}

const names = ['STORAGE_ACCESS_POINT_ARN', 'STORAGE_SUBNET_IDS', 'STORAGE_SECURITY_GROUP_IDS'] as const;

/** The value of `PUBLIC_URL` that takes the URL from the parameter store. */
export const fromParameter = 'parameter';

/**
 * `PUBLIC_URL` of the functions: the URL of the deploying environment, a parameter of the stage, or without either the
 * stage's own URL (docs/decisions/0057-first-deployment.md).
 *
 * @param own the stage's own URL. @default that of the HTTP API
 * @throws EnvironmentError for an invalid URL
 */
export function describePublicUrl(
  target: DeployTarget,
  { PUBLIC_URL }: NodeJS.ProcessEnv,
  own: string | object = refer(target, 'PublicUrl'),
): string | object {
  if (!PUBLIC_URL) return own;
  if (PUBLIC_URL === fromParameter) return referParameter(target.stage, 'PUBLIC_URL');
  checkEnvironment({ PUBLIC_URL });
  return PUBLIC_URL;
}

/** The optional EFS mount of local storage. @throws Error naming the missing variable if only some are set */
export function readMount(environment: NodeJS.ProcessEnv): StorageMount | undefined {
  const [missing, ...others] = names.filter((name) => !environment[name]);
  if (others.length === names.length - 1) return undefined;
  if (missing) throw new Error(`${missing} is not set: an EFS mount takes ${names.join(', ')}`);
  const [arn = '', subnets = '', groups = ''] = names.map((name) => environment[name] ?? '');
  return {
    fileSystemConfig: { arn, localMountPath: '/mnt/storage' },
    vpc: { subnetIds: split(subnets), securityGroupIds: split(groups) },
  };
}

const split = (list: string): string[] => list.split(',').map((entry) => entry.trim());

/** `provider.httpApi`, with CORS if `CORS_ORIGINS` is set. @throws EnvironmentError for an invalid origin */
export function describeHttpApi({ CORS_ORIGINS }: NodeJS.ProcessEnv) {
  const allowedOrigins = corsOrigins(CORS_ORIGINS);
  return { payload: '2.0', ...(allowedOrigins.length > 0 && { cors: { ...cors, allowedOrigins } }) };
}

/** CORS of an HTTP API beside that of the framework, as {@link describeHttpApi}; undefined without origins. */
export function describeCors(environment: NodeJS.ProcessEnv): object | undefined {
  const { cors: described } = describeHttpApi(environment);
  return (
    described && {
      AllowOrigins: described.allowedOrigins,
      AllowMethods: described.allowedMethods,
      AllowHeaders: described.allowedHeaders,
      ExposeHeaders: described.exposedResponseHeaders,
      MaxAge: described.maxAge,
    }
  );
}

const cors = {
  allowedMethods: ['GET', 'POST'],
  allowedHeaders: [
    'authorization',
    'content-type',
    'x-language',
    'x-requested-with',
    'if-none-match',
    'range',
    'mcp-protocol-version',
    'traceparent',
  ],
  exposedResponseHeaders: [
    'etag',
    'x-request-id',
    'www-authenticate',
    'retry-after',
    'ratelimit-limit',
    'ratelimit-remaining',
    'ratelimit-reset',
  ],
  maxAge: 600,
};
