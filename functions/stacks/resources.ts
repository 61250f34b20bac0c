import { tableSchema, ttlAttribute } from '#shared/db/table.ts';
import type { StorageMount } from '../function-map.ts';
import { serviceName } from '../names.ts';
import { createCoreAlarms, createStackAlarms } from './alarms.ts';
import { defaultLimits, type StageLimits } from './deployment.ts';
import { createOutputs, permissionSets, refer, type StackPlace } from './names.ts';
import { createRole } from './roles.ts';
import { coreStack, hasCore } from './stack.ts';

/** `resources` of a stack, beside its functions. */
export function createResources(place: StackPlace, mount?: StorageMount, limits = defaultLimits) {
  const alarms = createStackAlarms(place, refer(place, 'AlarmTopicArn'));
  if (!hasCore(place.stack)) return { Resources: alarms };
  return {
    Resources: { ...createCore(place.stage, mount, limits), ...alarms },
    Outputs: createOutputs(place.stage, place.stack === coreStack),
  };
}

function createCore(stage: string, mount: StorageMount | undefined, limits: StageLimits) {
  const roles = permissionSets.map((set) => [
    `Role${set}`,
    createRole(set, stage, mount?.fileSystemConfig.arn),
  ]);
  return {
    Table: {
      Type: 'AWS::DynamoDB::Table',
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        ...tableSchema,
        StreamSpecification: { StreamViewType: 'KEYS_ONLY' },
        TimeToLiveSpecification: { AttributeName: ttlAttribute, Enabled: true },
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        DeletionProtectionEnabled: true,
      },
    },
    ...createGatewayStage(stage, limits),
    ...createCoreAlarms(stage),
    ...Object.fromEntries(roles),
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
