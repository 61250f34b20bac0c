import { fallbackName } from './generate.ts';
import { listMethods, type Manifest } from './model.ts';
import { serviceName } from './names.ts';

/** A function as `serverless.yml` declares it. */
export interface FunctionDefinition {
  name: string;
  handler: string;
  events: ({ httpApi: string | { method: string; path: string } } | { schedule: string })[];
  timeout: number;
  memorySize: number;
  environment?: Record<string, string>;
  package?: { patterns: string[] };
}

/** What of a route or job its function depends on. */
interface Declared {
  area?: string;
  limits?: { timeoutSeconds?: number; memoryMb?: number };
}

/** Time enough for two reads of a database that never answers, each given up after three tries. */
const defaultLimits = { timeoutSeconds: 20, memoryMb: 512 };

/**
 * The functions of a service: one for each route and job, and the one of the gateway's `$default` route.
 *
 * @param stage `local` runs the entries as they are; any other stage packages their bundles
 */
export function createFunctionMap(
  { routes, jobs }: Manifest,
  stage: string,
): Record<string, FunctionDefinition> {
  const define = (name: string, events: FunctionDefinition['events'], declared: Declared = {}) => {
    const { timeoutSeconds, memoryMb } = { ...defaultLimits, ...declared.limits };
    return {
      name: `${serviceName}-${stage}-${name}`,
      events,
      timeout: timeoutSeconds,
      memorySize: memoryMb,
      ...locate(name, stage),
      ...(stage !== 'local' && declared.area === 'api' && withInstallLock(name)),
    };
  };
  const functions: Record<string, FunctionDefinition> = {
    [fallbackName]: define(fallbackName, [{ httpApi: '*' }]),
  };
  for (const found of routes) {
    const events = listMethods(found).map((method) => ({ httpApi: { method, path: found.path } }));
    functions[found.functionName] = define(found.functionName, events, found.route);
  }
  for (const { functionName, job } of jobs) {
    functions[functionName] = define(functionName, [{ schedule: job.schedule }], job);
  }
  return functions;
}

/** User routes pass the site gate, which asks for the install lock: it is packaged beside their code. */
function withInstallLock(name: string): Pick<FunctionDefinition, 'environment' | 'package'> {
  const folder = `.build/bundles/${name}`;
  return {
    environment: { DATA_DIR: `/var/task/${folder}` },
    package: { patterns: ['!**', `${folder}/*.mjs`, `${folder}/install.lock`] },
  };
}

function locate(name: string, stage: string): Pick<FunctionDefinition, 'handler' | 'package'> {
  if (stage === 'local') return { handler: `.build/entries/${name}.handler` };
  const folder = `.build/bundles/${name}`;
  return { handler: `${folder}/index.handler`, package: { patterns: ['!**', `${folder}/*.mjs`] } };
}
