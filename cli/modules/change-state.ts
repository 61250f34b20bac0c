import { discover } from '#functions/discover.ts';
import { generate } from '#functions/generate.ts';
import {
  listEnabled,
  type ModuleState,
  type ModuleStates,
  readModuleStates,
  writeModuleStates,
} from '#functions/module-states.ts';
import { readVersion } from '#functions/names.ts';
import { createDocument } from '#functions/openapi/document.ts';
import { explain } from '../command.ts';
import { root } from '../project.ts';
import { printWarnings } from '../terminal.ts';

/** Checks the service with a module enabled. @throws DiscoveryError; Error if a route cannot be described */
export async function assertFits(name: string): Promise<void> {
  const states = withState(readModuleStates(root), name, { installed: true, enabled: true });
  const manifest = await discover(root, undefined, listEnabled(states));
  createDocument(manifest, { locale: 'en', version: readVersion(root) });
}

/** Writes the state of a module, and generates the entries. @param state undefined removes the module from the list */
export async function changeState(name: string, state: ModuleState | undefined): Promise<void> {
  writeModuleStates(root, withState(readModuleStates(root), name, state));
  try {
    await refresh();
  } catch (error) {
    const message = 'modules/modules.json is written, but the modules break rules';
    throw new Error(`${message}:\n${explain(error)}`, { cause: error });
  }
}

/** Generates the entries of the functions. @throws DiscoveryError */
export async function refresh(): Promise<void> {
  printWarnings(await generate(root));
}

function withState(states: ModuleStates, name: string, state: ModuleState | undefined): ModuleStates {
  const next = new Map(states);
  if (state) next.set(name, state);
  else next.delete(name);
  return next;
}
