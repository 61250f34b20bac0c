import { serviceName } from '../names.ts';
import { hasCore } from './stack.ts';

/** Which stack of which stage is meant. */
export interface StackPlace {
  stage: string;
  stack: string;
}

/**
 * What a function may do besides logging: nothing, read the table, read and write it, that and reach the disk of
 * local storage, or read the table's stream and no more.
 */
export const permissionSets = ['None', 'Read', 'Table', 'Files', 'Stream'] as const;
export type PermissionSet = (typeof permissionSets)[number];

/** What all functions of a stage share, as the stack that holds it refers to it. */
const coreValues = {
  HttpApiId: { Ref: 'HttpApi' },
  TableName: { Ref: 'Table' },
  AlarmTopicArn: { Ref: 'AlarmTopic' },
  StreamArn: { 'Fn::GetAtt': ['Table', 'StreamArn'] },
  RoleNoneArn: { 'Fn::GetAtt': ['RoleNone', 'Arn'] },
  RoleReadArn: { 'Fn::GetAtt': ['RoleRead', 'Arn'] },
  RoleTableArn: { 'Fn::GetAtt': ['RoleTable', 'Arn'] },
  RoleFilesArn: { 'Fn::GetAtt': ['RoleFiles', 'Arn'] },
  RoleStreamArn: { 'Fn::GetAtt': ['RoleStream', 'Arn'] },
} as const satisfies Record<string, object>;
type CoreValue = keyof typeof coreValues;

const exportName = (stage: string, value: string): string => `${serviceName}-${stage}-${value}`;

/** A value that all functions of a stage share: imported, unless the stack holds it itself. */
export function refer({ stage, stack }: StackPlace, value: CoreValue): object {
  return hasCore(stack) ? coreValues[value] : { 'Fn::ImportValue': exportName(stage, value) };
}

/** `Outputs` of the stack that holds what is shared. @param isExported whether other stacks import it */
export function createOutputs(stage: string, isExported: boolean) {
  return Object.fromEntries(
    Object.entries(coreValues).map(([value, Value]) => [
      value,
      { Value, ...(isExported && { Export: { Name: exportName(stage, value) } }) },
    ]),
  );
}

/** The one log group of a stack's functions. */
export const logGroupName = ({ stage, stack }: StackPlace): string => `/${serviceName}/${stage}/${stack}`;
