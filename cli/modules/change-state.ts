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
import { root } from '../project.ts';
import { printWarnings } from '../terminal.ts';

/**
 * Makes sure that the service is whole with a module in it, before anything is done.
 *
 * @throws DiscoveryError with every rule that would be broken; Error for what the API reference cannot describe
 */
export async function assertFits(name: string): Promise<void> {
  const states = withState(readModuleStates(root), name, { installed: true, enabled: true });
  const manifest = await discover(root, undefined, listEnabled(states));
  createDocument(manifest, { locale: 'en', version: readVersion(root) });
}

/**
 * Writes the state of a module, at once, and brings the entries of the functions in line with it.
 *
 * @param state undefined takes it out of the list
 */
export async function changeState(name: string, state: ModuleState | undefined): Promise<void> {
  writeModuleStates(root, withState(readModuleStates(root), name, state));
  try {
    await refresh();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = 'modules/modules.json is written, but the modules cannot be discovered as they are';
    throw new Error(`${message}:\n${reason}`, { cause: error });
  }
}

/** Brings the entries of the functions in line with the modules. @throws DiscoveryError */
export async function refresh(): Promise<void> {
  printWarnings(await generate(root));
}

function withState(states: ModuleStates, name: string, state: ModuleState | undefined): ModuleStates {
  const next = new Map(states);
  if (state) next.set(name, state);
  else next.delete(name);
  return next;
}
