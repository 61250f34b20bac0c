import { tableSchema, ttlAttribute } from '#shared/db/table.ts';
import type { StorageMount } from '../function-map.ts';
import { createCoreAlarms, createStackAlarms } from './alarms.ts';
import { createGatewayStage, defaultLimits, type StageLimits } from './limits.ts';
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
