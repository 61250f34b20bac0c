import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ModuleState, type ModuleStates, readModuleStates } from '#functions/discover/module-states.ts';
import { type ModuleManifest, moduleNamePattern } from '#shared/module/module.ts';
import { explain, UsageError } from '../command.ts';
import { root } from '../project.ts';

/** A module in `modules/modules.json`, or with a folder, or both. */
export interface KnownModule extends ModuleState {
  name: string;
  isListed: boolean;
  hasFolder: boolean;
  /** Undefined if it cannot be read; then `fault` holds the reason. */
  manifest?: ModuleManifest;
  fault?: string;
}

/** All modules, sorted by name, also disabled ones. */
export async function findModules(): Promise<KnownModule[]> {
  const states = readModuleStates(root);
  const folders = readdirSync(join(root, 'modules')).filter((name) => moduleNamePattern.test(name));
  const names = new Set([...states.keys(), ...folders]);
  return Promise.all([...names].sort().map((name) => describe(name, states)));
}

async function describe(name: string, states: ModuleStates): Promise<KnownModule> {
  const { installed, enabled } = states.get(name) ?? { installed: false, enabled: false };
  const folder = join(root, 'modules', name);
  const known = { name, installed, enabled, isListed: states.has(name), hasFolder: existsSync(folder) };
  if (!existsSync(join(folder, 'module.ts'))) {
    const advice = `restore it, or remove "${name}" from modules/modules.json`;
    return { ...known, fault: `modules/${name}/module.ts is missing: ${advice}` };
  }
  try {
    const file = join(folder, 'module.ts');
    // A command that has changed the file reads it again.
    const { default: manifest } = await import(`${pathToFileURL(file).href}?${statSync(file).mtimeMs}`);
    if (manifest?.name === name) return { ...known, manifest };
    return { ...known, fault: `modules/${name}/module.ts declares no module of the name ${name}` };
  } catch (error) {
    return { ...known, fault: `modules/${name}/module.ts cannot be loaded: ${explain(error)}` };
  }
}

/** @throws UsageError if a module cannot have this name */
export function assertModuleName(name: string): void {
  if (moduleNamePattern.test(name)) return;
  throw new UsageError(`"${name}" is not a module name: use PascalCase, as in UserCenter`);
}

/** Finds a module by name. @throws UsageError for an invalid name; Error if the module does not exist */
export function pick(modules: readonly KnownModule[], name: string): KnownModule {
  assertModuleName(name);
  const found = modules.find((module) => module.name === name);
  if (!found) throw new Error(`There is no module ${name} in modules/: module:make ${name} writes one`);
  return found;
}

/** The manifest of a module. @throws Error with the reason if it cannot be read */
export function manifestOf({ manifest, fault }: KnownModule): ModuleManifest {
  if (!manifest) throw new Error(fault);
  return manifest;
}

/**
 * Checks that a module may be removed. @param isInTheWay whether a dependent module prevents the removal
 * @throws Error naming the dependent modules; always for a module that the service needs
 */
export function assertNotRequired(
  modules: readonly KnownModule[],
  { name, manifest }: KnownModule,
  isInTheWay: (module: KnownModule) => boolean,
): void {
  if (manifest?.isNeeded) throw new Error(`${name} cannot be removed: the service needs it`);
  const dependants = modules.filter((each) => each.manifest?.requires?.includes(name) && isInTheWay(each));
  if (dependants.length === 0) return;
  const names = dependants.map((each) => each.name).join(', ');
  throw new Error(`${names} requires ${name}: disable or remove it first`);
}
