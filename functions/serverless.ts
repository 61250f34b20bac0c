import { resolve } from 'node:path';
import { checkEnvironment } from '#shared/config/check-environment.ts';
import { generate } from './generate.ts';
import type { Manifest } from './model.ts';
import { assertStage } from './names.ts';
import { mapValues } from './openapi/json-schema.ts';
import { listStackFunctions } from './stacks/dashboard.ts';
import {
  describeCors,
  describeHttpApi,
  describePublicUrl,
  previewTag,
  readLimits,
  readMount,
  readPreview,
  readSecretOptions,
  readTable,
  referParameter,
  referSecret,
} from './stacks/deployment.ts';
import { describeEdgeUrl, listApis, readEdge } from './stacks/edge.ts';
import { readFilesBucket } from './stacks/files-bucket.ts';
import { createFunctionMap } from './stacks/function-map.ts';
import { createResources } from './stacks/resources.ts';
import { type DeployTarget, hasCore, logGroupName, refer, selectStack, wholeStack } from './stacks/stack.ts';

const root = resolve(import.meta.dirname, '..');

/** The service of this run of the framework. */
export type DescribedService = { target: DeployTarget; manifest: Manifest };

let parts: Promise<Record<'functions' | 'provider' | 'resources', object>> | undefined;
let described: DescribedService | undefined;
let problem: unknown;

/** The parts of `serverless.yml`. Empty after an error, which the framework would print for each part. */
export function describeService(variables: Variables) {
  parts ??= createParts(variables).catch((error) => {
    problem = error;
    return {
      functions: {},
      provider: { stackTags: {}, environment: {}, httpApi: {}, role: {} },
      resources: {},
    };
  });
  return parts;
}

/** The described service. @throws the error of {@link describeService} */
export function readService(): DescribedService | undefined {
  if (problem) throw problem;
  return described;
}

type Variables = { resolveVariable(name: string): Promise<string> };

async function createParts({ resolveVariable }: Variables) {
  const named = {
    stage: await resolveVariable('sls:stage'),
    stack: process.env.MODULE || wholeStack,
    table: readTable(process.env),
  };
  assertStage(named.stage);
  const target = { ...named, bucket: readFilesBucket(named, process.env) };
  const manifest = await generate(root);
  const mount = readMount(process.env);
  const limits = readLimits(process.env);
  const map = createFunctionMap(selectStack(manifest, target.stack), target.stage, {
    mount,
    concurrencyFactor: limits.concurrencyFactor,
    kmsKeyArn: readSecretOptions(process.env).kmsKeyArn,
    hasFallback: hasCore(target.stack),
    streamArn: refer(target, 'StreamArn'),
  });
  // All functions of a stack share its log group.
  const log = { disableLogs: true, logs: { logGroup: logGroupName(target) } };
  const functions = mapValues(map, (each) => ({ ...each, ...log }));
  described = { target, manifest };
  const isPreview = readPreview(process.env) !== undefined;
  const watched = listStackFunctions(manifest, target.stage);
  const resources = createResources(target, map, {
    limits,
    isPreview,
    watched,
    edge: describeEdge(target, manifest),
  });
  return { functions, provider: createProvider(target), resources };
}

/** CloudFront with the HTTP APIs of the modules; undefined without `EDGE=1`. */
function describeEdge({ stage }: DeployTarget, manifest: Manifest) {
  const settings = readEdge(process.env);
  if (!settings) return undefined;
  const owner = readPreview(process.env)?.parametersOf ?? stage;
  const secret = referSecret(owner, 'EDGE_SECRET', readSecretOptions(process.env));
  return { settings: { ...settings, prefixes: listApis(manifest) }, secret, cors: describeCors(process.env) };
}

/** The environment of a stack's functions in its template. @throws Error naming the invalid variable */
export function describeEnvironment(target: DeployTarget): Record<string, unknown> {
  const secrets = readSecretOptions(process.env);
  const preview = readPreview(process.env);
  const stage = preview?.parametersOf ?? target.stage;
  const edge = readEdge(process.env);
  const ownUrl = edge ? describeEdgeUrl(target, edge) : refer(target, 'PublicUrl');
  return {
    TABLE_NAME: refer(target, 'TableName'),
    APP_KEY: referSecret(stage, 'APP_KEY', secrets),
    // A preview has an address of its own.
    PUBLIC_URL: preview ? ownUrl : describePublicUrl(target, process.env, ownUrl),
    ...(edge && { EDGE_SECRET: referSecret(stage, 'EDGE_SECRET', secrets) }),
    UPSTASH_REDIS_REST_URL: referParameter(stage, 'UPSTASH_REDIS_REST_URL'),
    UPSTASH_REDIS_REST_TOKEN: referSecret(stage, 'UPSTASH_REDIS_REST_TOKEN', secrets),
    ...(preview && { CACHE_PREFIX: `${target.stage}:` }),
    ...(target.bucket && { S3_BUCKET: target.bucket.name }),
    ...readOptional(),
  };
}

function createProvider(target: DeployTarget) {
  const environment = describeEnvironment(target);
  const httpApi = hasCore(target.stack) ? describeHttpApi(process.env) : { id: refer(target, 'HttpApiId') };
  const stackTags = readPreview(process.env) ? { [previewTag]: 'true' } : {};
  return { stackTags, environment, httpApi, role: refer(target, 'RoleNoneArn') };
}

const optionalNames = [
  'PUBLIC_URL_ALIASES',
  'CORS_ORIGINS',
  'TZ_NAME',
  'THROTTLE_FACTOR',
  'ALLOW_PRIVATE_ENDPOINTS',
  'LOG_LEVEL',
];

/** Optional settings, copied from the deploying environment. @throws EnvironmentError for an invalid value */
function readOptional(): NodeJS.ProcessEnv {
  const set = optionalNames.filter((key) => process.env[key]);
  const optional = Object.fromEntries(set.map((key) => [key, process.env[key]]));
  checkEnvironment(optional);
  return optional;
}
