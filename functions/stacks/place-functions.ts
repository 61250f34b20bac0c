import type { FunctionDefinition } from '../function-map.ts';
import { importValue, logGroupName, type PermissionSet, type StackPlace } from './names.ts';
import { coreStack } from './stack.ts';

/** What of a function its stack decides. */
interface Placed extends FunctionDefinition {
  role: object;
  /** The log group is the stack's own resource. */
  disableLogs: true;
  logs: { logGroup: string };
}

/**
 * Gives the functions of a stack their roles and their common log.
 *
 * @param inputs the source files in each function's bundle, by its name
 */
export function placeFunctions(
  functions: Record<string, FunctionDefinition>,
  place: StackPlace,
  inputs: ReadonlyMap<string, readonly string[]>,
): Record<string, Placed> {
  return Object.fromEntries(
    Object.entries(functions).map(([name, definition]) => {
      const set = findPermissions(definition, inputs.get(name) ?? []);
      const role =
        place.stack === coreStack
          ? { 'Fn::GetAtt': [`Role${set}`, 'Arn'] }
          : importValue(place.stage, `Role${set}Arn`);
      return [name, { ...definition, role, disableLogs: true, logs: { logGroup: logGroupName(place) } }];
    }),
  );
}

/**
 * What a function needs, by what it is made of and what it answers: without the database's client it cannot use the
 * table, and routes that are only read by GET and HEAD do not write (test/round-trips holds them to that).
 */
function findPermissions(definition: FunctionDefinition, inputs: readonly string[]): PermissionSet {
  if (definition.events.some((event) => 'stream' in event)) return 'Stream';
  if (definition.fileSystemConfig) return 'Files';
  if (!inputs.some((input) => input.endsWith('shared/db/client.ts'))) return 'None';
  return definition.events.every(isRead) ? 'Read' : 'Table';
}

const isRead = (event: FunctionDefinition['events'][number]): boolean =>
  'httpApi' in event &&
  typeof event.httpApi === 'object' &&
  ['GET', 'HEAD'].includes(event.httpApi.method.toUpperCase());
