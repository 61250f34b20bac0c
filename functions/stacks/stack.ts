import { toRoutePrefix } from '#shared/module/module.ts';
import type { FoundRoute, Manifest } from '../model.ts';
import { serviceName } from '../names.ts';

/** The parts of the manifest that become functions. */
export type FunctionSources = Pick<Manifest, 'routes' | 'jobs' | 'listeners'>;

/** Holds the table, HTTP API, roles, alarm topic and the `$default` function, which all other stacks need. */
export const coreStack = 'core';
/** Holds the functions that contain parts of all modules, and the stream listeners. */
export const aggregateStack = 'aggregate';
/** The whole service as one stack. */
export const wholeStack = 'all';

/** Whether a stack holds the shared resources instead of importing them. */
export const hasCore = (stack: string): boolean => stack === coreStack || stack === wholeStack;

/** The stack of a route's function. */
const stackOf = ({ route, module }: FoundRoute): string =>
  route.needs?.length ? aggregateStack : toRoutePrefix(module);

/** All stacks in the order of a first deployment. */
export function listStacks({ routes, jobs }: Omit<FunctionSources, 'listeners'>): string[] {
  const modules = new Set([...routes.map(stackOf), ...jobs.map(({ module }) => toRoutePrefix(module))]);
  modules.delete(aggregateStack);
  return [coreStack, ...[...modules].sort(), aggregateStack];
}

/** The functions of a stack. @throws Error naming all stacks if the name is unknown */
export function selectStack(manifest: FunctionSources, stack: string): FunctionSources {
  if (stack === wholeStack) return manifest;
  const stacks = listStacks(manifest);
  if (!stacks.includes(stack)) {
    const names = stacks.join(', ');
    throw new Error(`MODULE is "${stack}": use one of ${names}, or leave it out for the whole service`);
  }
  return {
    routes: manifest.routes.filter((found) => stackOf(found) === stack),
    jobs: manifest.jobs.filter(({ module }) => toRoutePrefix(module) === stack),
    // Two stacks cannot hold one function name, so deployed listeners stay in this stack.
    listeners: stack === aggregateStack ? manifest.listeners : [],
  };
}

/** An existing table that replaces the stage's own, such as a restored one. */
export interface GivenTable {
  name: string;
  streamArn: string;
}

/** A bucket for files. */
export interface FilesBucket {
  name: string | object;
  /** Origins whose pages upload, if `core` creates the bucket. */
  origins?: readonly (string | object)[];
}

export interface DeployTarget {
  stage: string;
  stack: string;
  /** @default the table that `core` creates, which stays in any case */
  table?: GivenTable | undefined;
  /** @default none: files are on a disk, or in a cloud that the settings name */
  bucket?: FilesBucket | undefined;
}

/** Roles that need no knowledge of a function's code: `Stream` reads the table's stream, `None` only writes the log. */
export type SharedRole = 'None' | 'Stream';

/** Values that all functions of a stage share, as their own stack refers to them. */
const coreValues = {
  HttpApiId: { Ref: 'HttpApi' },
  PublicUrl: { 'Fn::GetAtt': ['HttpApi', 'ApiEndpoint'] },
  TableName: { Ref: 'Table' },
  AlarmTopicArn: { Ref: 'AlarmTopic' },
  StreamArn: { 'Fn::GetAtt': ['Table', 'StreamArn'] },
  RoleNoneArn: { 'Fn::GetAtt': ['RoleNone', 'Arn'] },
  RoleStreamArn: { 'Fn::GetAtt': ['RoleStream', 'Arn'] },
} as const satisfies Record<string, object>;
type CoreValue = keyof typeof coreValues;
type TableValue = 'TableName' | 'StreamArn';

const exportName = (stage: string, value: string): string => `${serviceName}-${stage}-${value}`;

/**
 * Refers to a shared value. Other stacks than its own import it, except for values of a given table: CloudFormation
 * refuses to change an export that another stack imports.
 */
export function refer(target: DeployTarget, value: TableValue): object | string;
export function refer(target: DeployTarget, value: Exclude<CoreValue, TableValue>): object;
export function refer({ stage, stack, table }: DeployTarget, value: CoreValue): object | string {
  if (table && value === 'TableName') return table.name;
  if (table && value === 'StreamArn') return table.streamArn;
  return hasCore(stack) ? coreValues[value] : { 'Fn::ImportValue': exportName(stage, value) };
}

/** Refers to a value of `core` that only some stages have. @param own how `core` refers to it */
export const referShared = ({ stage, stack }: DeployTarget, value: string, own: object): object =>
  hasCore(stack) ? own : { 'Fn::ImportValue': exportName(stage, value) };

/**
 * `Outputs` of the stack with the shared values.
 *
 * @param isExported whether other stacks import them
 * @param others values that only some stages have
 */
export function createOutputs(
  stage: string,
  isExported: boolean,
  others: Readonly<Record<string, object | string>> = {},
) {
  return Object.fromEntries(
    Object.entries({ ...coreValues, ...others }).map(([value, Value]) => [
      value,
      { Value, ...(isExported && { Export: { Name: exportName(stage, value) } }) },
    ]),
  );
}

/** The log group of all functions of a stack. */
export const logGroupName = ({ stage, stack }: DeployTarget): string => `/${serviceName}/${stage}/${stack}`;
