import { serviceName } from '../names.ts';

/** What a stage takes at most, all callers together. */
export interface StageLimits {
  /** Requests a second to the HTTP API. */
  ratePerSecond: number;
  /** Requests at the same moment, above the rate. */
  burst: number;
  /** Multiplies the concurrency that routes declare; 0 reserves none. */
  concurrencyFactor: number;
}

/** Half of what AWS allows an account in a region by default, so that one stage leaves room for others. */
export const defaultLimits: StageLimits = { ratePerSecond: 5_000, burst: 2_500, concurrencyFactor: 1 };

/**
 * The limits of a stage, from the deploying environment.
 *
 * @throws Error naming the variable that is not a number in range
 */
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

// No path and no query: they can hold names and tickets. `function_request_id` is the answer's `x-request-id`.
const accessLine = {
  time: '$context.requestTimeEpoch',
  gateway_request_id: '$context.requestId',
  function_request_id: '$context.integration.requestId',
  address: '$context.identity.sourceIp',
  route: '$context.routeKey',
  status: '$context.status',
  function_status: '$context.integration.integrationStatus',
  error: '$context.error.message',
  duration_ms: '$context.responseLatency',
  size_bytes: '$context.responseLength',
};

/** What the HTTP API's own stage gets beside what the framework writes: throttle and access log. */
export function createGatewayStage(stage: string, { ratePerSecond, burst }: StageLimits) {
  return {
    AccessLog: {
      Type: 'AWS::Logs::LogGroup',
      // Functions may write to /backend/…; this is not for them.
      Properties: { LogGroupName: `/aws/vendedlogs/${serviceName}/${stage}/access`, RetentionInDays: 30 },
    },
    // The framework writes this resource; what stands here is merged into it.
    HttpApiStage: {
      Type: 'AWS::ApiGatewayV2::Stage',
      Properties: {
        DefaultRouteSettings: { ThrottlingRateLimit: ratePerSecond, ThrottlingBurstLimit: burst },
        AccessLogSettings: {
          DestinationArn: { 'Fn::GetAtt': ['AccessLog', 'Arn'] },
          Format: JSON.stringify(accessLine),
        },
      },
    },
  };
}
