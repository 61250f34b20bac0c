import type { FunctionDefinition } from '../function-map.ts';
import { logGroupName, type PermissionSet, refer, type StackPlace } from './names.ts';

/** What a stack decides about a function. */
export interface Placed {
  /** By what its bundle holds, once there is one. */
  role?: object;
  /** The log group is the stack's own resource. */
  disableLogs: true;
  logs: { logGroup: string };
}

/** Gives a function of a stack the log that all of them share. */
export const placeFunction = (place: StackPlace): Placed => ({
  disableLogs: true,
  logs: { logGroup: logGroupName(place) },
});

/**
 * The role of a function.
 *
 * @param inputs the source files in its bundle
 */
export function findRole(
  definition: Pick<FunctionDefinition, 'events' | 'fileSystemConfig'>,
  place: StackPlace,
  inputs: readonly string[],
): object {
  return refer(place, `Role${findPermissions(definition, inputs)}Arn`);
}

/**
 * What a function needs, by what it is made of and what it answers: without the database's client it cannot use the
 * table, and routes that are only read by GET and HEAD do not write (test/round-trips holds them to that).
 */
function findPermissions(
  definition: Pick<FunctionDefinition, 'events' | 'fileSystemConfig'>,
  inputs: readonly string[],
): PermissionSet {
  if (definition.events.some((event) => 'stream' in event)) return 'Stream';
  if (definition.fileSystemConfig) return 'Files';
  if (!inputs.some((input) => input.endsWith('shared/db/client.ts'))) return 'None';
  return definition.events.every(isRead) ? 'Read' : 'Table';
}

const isRead = (event: FunctionDefinition['events'][number]): boolean =>
  'httpApi' in event &&
  typeof event.httpApi === 'object' &&
  ['GET', 'HEAD'].includes(event.httpApi.method.toUpperCase());
