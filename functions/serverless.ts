import { resolve } from 'node:path';
import { corsOrigins } from '#shared/config/cors.ts';
import { tableSchema, ttlAttribute } from '#shared/db/table.ts';
import { bundleFunctions } from './bundle.ts';
import { createFunctionMap } from './function-map.ts';
import { generate } from './generate.ts';
import { serviceName, stageLimit } from './names.ts';
import { readMount } from './storage-mount.ts';

const root = resolve(import.meta.dirname, '..');

interface Variables {
  resolveVariable(name: string): Promise<string>;
}

async function readStage({ resolveVariable }: Variables): Promise<string> {
  const stage = await resolveVariable('sls:stage');
  if (!/^[a-z][a-z0-9]*$/.test(stage) || stage.length > stageLimit) {
    throw new Error(`the stage "${stage}" takes 1 to ${stageLimit} lowercase letters and digits`);
  }
  return stage;
}

/** `functions` of `serverless.yml`; bundles them unless they run locally. */
export async function functions(variables: Variables) {
  const stage = await readStage(variables);
  const manifest = await generate(root);
  if (stage !== 'local') await bundleFunctions(root, manifest);
  return createFunctionMap(manifest, stage, readMount(process.env));
}

/** What of `provider` depends on the stage: environment and CORS. */
export async function provider(variables: Variables) {
  const stage = await readStage(variables);
  const parameter = (name: string) => `{{resolve:ssm:/${serviceName}/${stage}/${name}}}`;
  const environment = {
    TABLE_NAME: { Ref: 'Table' },
    APP_KEY: parameter('APP_KEY'),
    PUBLIC_URL: parameter('PUBLIC_URL'),
    UPSTASH_REDIS_REST_URL: parameter('UPSTASH_REDIS_REST_URL'),
    UPSTASH_REDIS_REST_TOKEN: parameter('UPSTASH_REDIS_REST_TOKEN'),
    ...readOptional(),
  };
  return { environment: stage === 'local' ? {} : environment, httpApi: { payload: '2.0', ...cors() } };
}

/** Settings with a default, handed on where the deploying environment has them. */
const optionalNames = [
  'PUBLIC_URL_ALIASES',
  'CORS_ORIGINS',
  'TZ_NAME',
  'THROTTLE_FACTOR',
  'ALLOW_PRIVATE_ENDPOINTS',
  'LOG_LEVEL',
];

function readOptional(): Record<string, string> {
  return Object.fromEntries(
    optionalNames.flatMap((name) => {
      const value = process.env[name];
      return value ? [[name, value]] : [];
    }),
  );
}

function cors() {
  const allowedOrigins = corsOrigins(process.env.CORS_ORIGINS);
  if (allowedOrigins.length === 0) return {};
  return {
    cors: {
      allowedOrigins,
      allowedMethods: ['GET', 'POST'],
      allowedHeaders: ['authorization', 'content-type', 'x-language', 'if-none-match', 'range'],
      exposedResponseHeaders: [
        'etag',
        'x-request-id',
        'retry-after',
        'ratelimit-limit',
        'ratelimit-remaining',
        'ratelimit-reset',
      ],
      maxAge: 600,
    },
  };
}

/** Properties of the DynamoDB table. */
export function table() {
  return {
    ...tableSchema,
    StreamSpecification: { StreamViewType: 'KEYS_ONLY' },
    TimeToLiveSpecification: { AttributeName: ttlAttribute, Enabled: true },
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    DeletionProtectionEnabled: true,
  };
}
