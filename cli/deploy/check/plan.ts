import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { discover } from '#functions/discover/discover.ts';
import { defaultRegion, serviceName } from '#functions/names.ts';
import { describeEnvironment } from '#functions/serverless.ts';
import { readLimits } from '#functions/stacks/deployment.ts';
import { createFunctionMap } from '#functions/stacks/function-map.ts';
import { coreStack } from '#functions/stacks/stack.ts';
import { type StackPackage, templateFile } from '../package.ts';
import type { Reserved } from './quota.ts';

/** What a deployment is about to do, as far as it can be checked before. */
export interface Plan {
  stage: string;
  region: string;
  /** The environment of the functions in the templates. */
  environment: Readonly<Record<string, unknown>>;
  /** Finds the functions that reserve concurrency. */
  findReserved: () => Promise<Reserved[]>;
  /** Whether the packages exist: then their settings cannot be changed. */
  isBuilt: boolean;
}

/** The plan of a deployment that packages the sources. @throws Error naming an invalid variable */
export function planSources(root: string, stage: string): Plan {
  const { concurrencyFactor } = readLimits(process.env);
  return {
    stage,
    region: process.env.AWS_REGION || defaultRegion,
    environment: describeEnvironment({ stage, stack: coreStack }),
    findReserved: async () => {
      const functions = createFunctionMap(await discover(root), stage, { concurrencyFactor });
      return Object.values(functions).flatMap(({ name, reservedConcurrency }) =>
        reservedConcurrency ? [{ name, concurrency: reservedConcurrency }] : [],
      );
    },
    isBuilt: false,
  };
}

/** The used parts of a function in a template. */
interface TemplateFunction {
  Type: string;
  Properties?: {
    FunctionName?: string;
    ReservedConcurrentExecutions?: number;
    Environment?: { Variables?: Record<string, unknown> };
  };
}

/** The plan of a deployment of packages that were built before. */
export function planPackages(root: string, stage: string, packages: readonly StackPackage[]): Plan {
  const functions = packages.flatMap(({ folder }) => {
    const template = JSON.parse(readFileSync(join(root, folder, templateFile), 'utf8'));
    const resources: TemplateFunction[] = Object.values(template.Resources);
    return resources.flatMap(({ Type, Properties }) =>
      Type === 'AWS::Lambda::Function' && Properties ? [Properties] : [],
    );
  });
  const reserved = functions.flatMap(
    ({ FunctionName: name = '', ReservedConcurrentExecutions: concurrency }) =>
      concurrency ? [{ name, concurrency }] : [],
  );
  return {
    stage,
    region: packages[0]?.region ?? defaultRegion,
    environment: Object.assign({}, ...functions.map(({ Environment }) => Environment?.Variables)),
    findReserved: async () => reserved,
    isBuilt: true,
  };
}

/** Name of the parameter that may hold `PUBLIC_URL`. */
export const publicUrlParameter = (stage: string): string => `/${serviceName}/${stage}/PUBLIC_URL`;
