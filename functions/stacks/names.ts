import { serviceName } from '../names.ts';
import { hasCore } from './stack.ts';

export type StackPlace = { stage: string; stack: string };

/**
 * Permissions of functions besides logging. `Table` reads and writes the table; `Files` also uses the disk of local
 * storage; `Stream` reads the table's stream only.
 */
export const permissionSets = ['None', 'Read', 'Table', 'Files', 'Stream'] as const;
export type PermissionSet = (typeof permissionSets)[number];

/** Values that all functions of a stage share, as their own stack refers to them. */
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

/** Refers to a shared value. Other stacks than its own import it. */
export const refer = ({ stage, stack }: StackPlace, value: CoreValue): object =>
  hasCore(stack) ? coreValues[value] : { 'Fn::ImportValue': exportName(stage, value) };

/** `Outputs` of the stack with the shared values. @param isExported whether other stacks import them */
export function createOutputs(stage: string, isExported: boolean) {
  return Object.fromEntries(
    Object.entries(coreValues).map(([value, Value]) => [
      value,
      { Value, ...(isExported && { Export: { Name: exportName(stage, value) } }) },
    ]),
  );
}

/** The log group of all functions of a stack. */
export const logGroupName = ({ stage, stack }: StackPlace): string => `/${serviceName}/${stage}/${stack}`;
