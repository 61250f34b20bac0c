import { tableSchema, ttlAttribute } from '#shared/db/table.ts';
import type { StorageMount } from '../function-map.ts';
import { createCoreAlarms, createStackAlarms, topicOf } from './alarms.ts';
import { createGatewayStage, defaultLimits, type StageLimits } from './limits.ts';
import { type ExportName, exportName, permissionSets, type StackPlace } from './names.ts';
import { createRole } from './roles.ts';
import { coreStack } from './stack.ts';

/** `resources` of a stack, beside its functions. */
export function createResources(place: StackPlace, mount?: StorageMount, limits = defaultLimits) {
  const isCore = place.stack === coreStack;
  const alarms = createStackAlarms(place, topicOf(place, isCore));
  if (!isCore) return { Resources: alarms };
  const Resources = { ...createCore(place.stage, mount, limits), ...alarms };
  return { Resources, Outputs: createOutputs(place.stage) };
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

function createOutputs(stage: string) {
  const output = (name: ExportName, Value: unknown) => [
    name,
    { Value, Export: { Name: exportName(stage, name) } },
  ];
  return Object.fromEntries([
    output('HttpApiId', { Ref: 'HttpApi' }),
    output('TableName', { Ref: 'Table' }),
    output('AlarmTopicArn', { Ref: 'AlarmTopic' }),
    output('StreamArn', { 'Fn::GetAtt': ['Table', 'StreamArn'] }),
    ...permissionSets.map((set) => output(`Role${set}Arn`, { 'Fn::GetAtt': [`Role${set}`, 'Arn'] })),
  ]);
}
