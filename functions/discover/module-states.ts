import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiscoveryError } from '../model.ts';
import { reasonOf } from '../scope.ts';
import { writeFiles } from '../write-files.ts';

export interface ModuleState {
  /** Whether its data exists. */
  installed: boolean;
  /** Whether its routes, jobs, listeners and tools are part of the service. */
  enabled: boolean;
}

/** By module name, in the order of `modules/modules.json`. */
export type ModuleStates = ReadonlyMap<string, ModuleState>;

const listFile = 'modules/modules.json';

/**
 * Reads the states of the modules. Without `installed`, an enabled module counts as installed.
 *
 * @throws DiscoveryError if the file is missing or wrong
 */
export function readModuleStates(root: string): ModuleStates {
  try {
    const listed: unknown = JSON.parse(readFileSync(join(root, listFile), 'utf8'));
    if (typeof listed !== 'object' || listed === null || Array.isArray(listed)) {
      throw new Error('it is not an object with modules by name');
    }
    return new Map(
      Object.entries(listed).map(([name, entry]) => {
        const enabled = Object(entry).enabled === true;
        return [name, { installed: Object(entry).installed ?? enabled, enabled }];
      }),
    );
  } catch (error) {
    throw new DiscoveryError([`${listFile} cannot be read: ${reasonOf(error)}`]);
  }
}

/** Names of the enabled modules, in the given order. */
export const listEnabled = (states: ModuleStates): string[] =>
  [...states].flatMap(([name, { enabled }]) => (enabled ? [name] : []));

/** Writes `modules/modules.json` in one step, if it differs; sorted lines, so that branches rarely conflict. */
export function writeModuleStates(root: string, states: ModuleStates): void {
  const lines = [...states]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, { installed, enabled }]) =>
        `  ${JSON.stringify(name)}: { "installed": ${installed}, "enabled": ${enabled} }`,
    );
  const text = lines.length > 0 ? `{\n${lines.join(',\n')}\n}\n` : '{}\n';
  writeFiles(root, new Map([[listFile, text]]));
}
