import type { FunctionDefinition } from '#functions/function-map.ts';
import { gatewayCors } from '#functions/gateway-cors.ts';
import { referencePage } from '#functions/reference-page.ts';

/** A function of the local server; the stack decides the rest. */
type LocalFunction = Pick<FunctionDefinition, 'name' | 'handler' | 'events'> & Partial<FunctionDefinition>;

/** The part of a Serverless service that serverless-offline asks for. */
export interface GatewayService {
  service: string;
  provider: object;
  resources: object;
  functions: Record<string, LocalFunction>;
  getAllFunctions(): string[];
  getFunction(key: string): LocalFunction | undefined;
  getAllEventsInFunction(key: string): LocalFunction['events'] | undefined;
}

/**
 * All functions as one service. serverless-offline is a plugin of a command line that takes most of a second
 * to read what packaging and deploying need; it gets from this what it would ask that for.
 */
export function createService(discovered: Record<string, LocalFunction>): GatewayService {
  const functions: GatewayService['functions'] = { ...discovered, ...referencePage };
  return {
    service: 'backend-local',
    provider: {
      name: 'aws',
      runtime: 'nodejs24.x',
      architecture: 'arm64',
      stage: 'local',
      region: process.env.AWS_REGION || 'ap-southeast-1',
      environment: {},
      httpApi: { payload: '2.0', ...gatewayCors(process.env.CORS_ORIGINS) },
    },
    resources: {},
    functions,
    getAllFunctions: () => Object.keys(functions),
    getFunction: (key) => functions[key],
    getAllEventsInFunction: (key) => functions[key]?.events,
  };
}
