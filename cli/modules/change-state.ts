import { discover } from '#functions/discover/discover.ts';
import {
  listEnabled,
  type ModuleState,
  readModuleStates,
  writeModuleStates,
} from '#functions/discover/module-states.ts';
import { generate } from '#functions/generate.ts';
import type { Manifest } from '#functions/model.ts';
import { readVersion } from '#functions/names.ts';
import { createDocument } from '#functions/openapi/document.ts';
import { explain } from '../command.ts';
import { root } from '../project.ts';
import { printWarnings } from '../terminal.ts';

/** Checks the service with a module enabled. @throws DiscoveryError; Error if a route cannot be described */
export async function assertFits(name: string): Promise<void> {
  const names = new Set([...listEnabled(readModuleStates(root)), name]);
  const manifest = await discover(root, undefined, [...names]);
  createDocument(manifest, { locale: 'en', version: readVersion(root) });
}

/** Writes the state of a module, and generates the entries. @param state undefined removes the module from the list */
export async function changeState(name: string, state: ModuleState | undefined): Promise<void> {
  const states = new Map(readModuleStates(root));
  if (state) states.set(name, state);
  else states.delete(name);
  writeModuleStates(root, states);
  try {
    await refresh();
  } catch (error) {
    const message = 'modules/modules.json is written, but the modules break rules';
    throw new Error(`${message}:\n${explain(error)}`, { cause: error });
  }
}

/** Generates the entries of the functions. @throws DiscoveryError */
export async function refresh(): Promise<Manifest> {
  const manifest = await generate(root);
  printWarnings(manifest);
  return manifest;
}
