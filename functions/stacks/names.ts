import { serviceName } from '../names.ts';

/** Which stack of which stage is meant. */
export interface StackPlace {
  stage: string;
  stack: string;
}

/** What `core` exports to the other stacks. */
export type ExportName =
  | 'HttpApiId'
  | 'TableName'
  | 'StreamArn'
  | 'AlarmTopicArn'
  | `Role${PermissionSet}Arn`;

/**
 * What a function may do besides logging: nothing, read the table, read and write it, that and reach the disk of
 * local storage, or read the table's stream and no more.
 */
export const permissionSets = ['None', 'Read', 'Table', 'Files', 'Stream'] as const;
export type PermissionSet = (typeof permissionSets)[number];

export const exportName = (stage: string, name: ExportName): string => `${serviceName}-${stage}-${name}`;

/** A value of `core` as another stack refers to it. */
export const importValue = (stage: string, name: ExportName) => ({
  'Fn::ImportValue': exportName(stage, name),
});

/** The one log group of a stack's functions. */
export const logGroupName = ({ stage, stack }: StackPlace): string => `/${serviceName}/${stage}/${stack}`;
