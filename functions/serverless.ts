import { resolve } from 'node:path';
import { bundleFunctions } from './bundle.ts';
import { createFunctionMap } from './function-map.ts';
import { gatewayCors } from './gateway-cors.ts';
import { generate } from './generate.ts';
import { serviceName, stageLimit } from './names.ts';
import { assertOwnInputs } from './stacks/assert-own-inputs.ts';
import { readLimits } from './stacks/limits.ts';
import { importValue, type StackPlace } from './stacks/names.ts';
import { placeFunctions } from './stacks/place-functions.ts';
import { createResources } from './stacks/resources.ts';
import { coreStack, selectStack } from './stacks/stack.ts';
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

/**
 * The stack that is to be packaged, by `MODULE`.
 *
 * @throws Error where none is named
 */
async function readPlace(variables: Variables): Promise<StackPlace> {
  const stage = await readStage(variables);
  const stack = process.env.MODULE;
  if (!stack) throw new Error('MODULE names no stack: use npm run deploy, or npm run package');
  return { stage, stack };
}

/** `functions` of `serverless.yml`, which it bundles. */
export async function functions(variables: Variables) {
  const { stage, stack } = await readPlace(variables);
  const manifest = await generate(root);
  const options = {
    mount: readMount(process.env),
    concurrencyFactor: readLimits(process.env).concurrencyFactor,
    hasFallback: stack === coreStack,
    streamArn: importValue(stage, 'StreamArn'),
  };
  const map = createFunctionMap(selectStack(manifest, stack), stage, options);
  const inputs = await bundleFunctions(root, Object.keys(map));
  assertOwnInputs(stack, inputs);
  return placeFunctions(map, { stage, stack }, inputs);
}

/** What of `provider` depends on the stage and stack: environment, and the HTTP API with its CORS. */
export async function provider(variables: Variables) {
  const { stage, stack } = await readPlace(variables);
  const parameter = (name: string) => `{{resolve:ssm:/${serviceName}/${stage}/${name}}}`;
  const isCore = stack === coreStack;
  const environment = {
    TABLE_NAME: isCore ? { Ref: 'Table' } : importValue(stage, 'TableName'),
    APP_KEY: parameter('APP_KEY'),
    PUBLIC_URL: parameter('PUBLIC_URL'),
    UPSTASH_REDIS_REST_URL: parameter('UPSTASH_REDIS_REST_URL'),
    UPSTASH_REDIS_REST_TOKEN: parameter('UPSTASH_REDIS_REST_TOKEN'),
    ...readOptional(),
  };
  const httpApi = isCore
    ? { payload: '2.0', ...gatewayCors(process.env.CORS_ORIGINS) }
    : { id: importValue(stage, 'HttpApiId') };
  return { environment, httpApi };
}

/** `resources` of `serverless.yml`. */
export async function resources(variables: Variables) {
  const { stage, stack } = await readPlace(variables);
  return createResources({ stage, stack }, readMount(process.env), readLimits(process.env));
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
