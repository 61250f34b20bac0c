import { tableSchema, ttlAttribute } from '#shared/db/table.ts';
import { serviceName } from '../names.ts';
import { createApiAlarm, createCoreAlarms, createFunctionAlarms, createStackAlarms } from './alarms.ts';
import { createDashboard, type StackFunctions } from './dashboard.ts';
import { defaultLimits, type StageLimits } from './deployment.ts';
import { type Edge, listApiIds, listEdgeValues } from './edge.ts';
import { createEdge } from './edge-resources.ts';
import { createFilesBucket } from './files-bucket.ts';
import { type FunctionDefinition, scheduleRole } from './function-map.ts';
import { createScheduleRole, createSharedRoles } from './roles.ts';
import { coreStack, createOutputs, type DeployTarget, hasCore, refer } from './stack.ts';

interface ResourceOptions {
  /** @default {@link defaultLimits} */
  limits?: StageLimits;
  /** Whether the table goes with its stack, and the stage has no dashboard. @default false */
  isPreview?: boolean;
  /** The functions of all stacks, for the dashboard in `core`. @default none: no dashboard */
  watched?: StackFunctions;
  /** CloudFront with an HTTP API for each module, and the secret that it sends. @default one HTTP API, without CloudFront */
  edge?: { settings: Edge; secret: string; cors: object | undefined } | undefined;
}

/** `resources` of a stack, without its functions. @param functions that get alarms */
export function createResources(
  target: DeployTarget,
  functions: Readonly<Record<string, FunctionDefinition>>,
  options: ResourceOptions = {},
) {
  const topic = refer(target, 'AlarmTopicArn');
  const alarms = { ...createStackAlarms(target, topic), ...createFunctionAlarms(functions, topic) };
  const own = { ...alarms, ...createScheduling(functions) };
  if (!hasCore(target.stack)) return { Resources: own };
  return {
    Resources: { ...createCore(target, options), ...own },
    Outputs: createOutputs(
      target.stage,
      target.stack === coreStack,
      options.edge && listEdgeValues(options.edge.settings),
    ),
  };
}

/** What jobs with a `cron(…)` need; nothing without one. */
function createScheduling(functions: Readonly<Record<string, FunctionDefinition>>) {
  const planned = Object.values(functions).filter(({ events }) =>
    events.some((event) => 'schedule' in event && typeof event.schedule === 'object'),
  );
  return planned.length > 0 && { [scheduleRole]: createScheduleRole(planned.map(({ name }) => name)) };
}

function createCore(target: DeployTarget, options: ResourceOptions) {
  const { limits = defaultLimits, isPreview = false, watched, edge } = options;
  const { stage, bucket } = target;
  const gateway = createGatewayStage(stage, limits);
  const policy = isPreview ? 'Delete' : 'Retain';
  return {
    // Also beside a given table: its exports are in use, and the stage may return to it.
    Table: {
      Type: 'AWS::DynamoDB::Table',
      DeletionPolicy: policy,
      UpdateReplacePolicy: policy,
      Properties: {
        ...tableSchema,
        StreamSpecification: { StreamViewType: 'KEYS_ONLY' },
        TimeToLiveSpecification: { AttributeName: ttlAttribute, Enabled: true },
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: !isPreview },
        DeletionProtectionEnabled: !isPreview,
      },
    },
    ...(bucket?.origins && createFilesBucket({ ...bucket, origins: bucket.origins })),
    ...gateway,
    ...(edge &&
      createEdge(target, edge.settings, edge.secret, {
        stage: gateway.HttpApiStage.Properties,
        cors: edge.cors,
        alarm: (api, title) => createApiAlarm({ Ref: 'AlarmTopic' }, api, title),
      })),
    ...createCoreAlarms(target),
    // A dashboard costs by the month, and a preview lives for days.
    ...(watched &&
      !isPreview && {
        Dashboard: createDashboard(target, watched, edge && listApiIds(edge.settings.prefixes)),
      }),
    ...createSharedRoles(target),
  };
}

// Without path and query, which can hold names and tickets. `function_request_id` is the answer's `x-request-id`.
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

/** Throttle and access log of the HTTP API's stage. */
export function createGatewayStage(stage: string, { ratePerSecond, burst }: StageLimits) {
  return {
    AccessLog: {
      Type: 'AWS::Logs::LogGroup',
      // Not below /backend/, where functions may write.
      Properties: { LogGroupName: `/aws/vendedlogs/${serviceName}/${stage}/access`, RetentionInDays: 30 },
    },
    // The framework merges this into its own resource.
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
