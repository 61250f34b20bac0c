import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ModuleState, type ModuleStates, readModuleStates } from '#functions/module-states.ts';
import { type ModuleManifest, moduleNamePattern } from '#shared/module/module.ts';
import { UsageError } from '../command.ts';
import { root } from '../project.ts';

/** A module that is listed, or has a folder. */
export interface KnownModule extends ModuleState {
  name: string;
  /** Whether it is listed in `modules/modules.json`. */
  isListed: boolean;
  /** Whether its folder is there. */
  hasFolder: boolean;
  /** Undefined where it cannot be read; then `fault` says why. */
  manifest?: ModuleManifest;
  fault?: string;
}

/** Every module by its name, those that are not enabled too. */
export async function findModules(): Promise<KnownModule[]> {
  const states = readModuleStates(root);
  const names = new Set([...states.keys(), ...listFolders()]);
  return Promise.all([...names].sort().map((name) => describe(name, states)));
}

/** Names of the folders that may be modules. */
function listFolders(): string[] {
  return readdirSync(join(root, 'modules'), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && moduleNamePattern.test(entry.name) ? [entry.name] : [],
  );
}

async function describe(name: string, states: ModuleStates): Promise<KnownModule> {
  const { installed, enabled } = states.get(name) ?? { installed: false, enabled: false };
  const folder = join(root, 'modules', name);
  const known = { name, installed, enabled, isListed: states.has(name), hasFolder: existsSync(folder) };
  if (!existsSync(join(folder, 'module.ts'))) {
    const mend = `bring it back, or take "${name}" out of modules/modules.json`;
    return { ...known, fault: `modules/${name}/module.ts is missing: ${mend}` };
  }
  try {
    const { default: manifest } = await import(pathToFileURL(join(folder, 'module.ts')).href);
    if (manifest?.name === name) return { ...known, manifest };
    return { ...known, fault: `modules/${name}/module.ts declares no module of the name ${name}` };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...known, fault: `modules/${name}/module.ts cannot be loaded: ${reason}` };
  }
}

/** Refuses what cannot be the name of a module. @throws UsageError */
export function assertModuleName(name: string): void {
  if (moduleNamePattern.test(name)) return;
  throw new UsageError(`"${name}" is not a module name: use PascalCase, as in UserCenter`);
}

/**
 * The module of a name among those that there are.
 *
 * @throws UsageError if it cannot be a name; Error if there is no such module
 */
export function pick(modules: readonly KnownModule[], name: string): KnownModule {
  assertModuleName(name);
  const found = modules.find((module) => module.name === name);
  if (!found) throw new Error(`There is no module ${name} in modules/: module:make ${name} writes one`);
  return found;
}

/** The manifest of a module. @throws Error telling why it cannot be read */
export function manifestOf({ name, manifest, fault }: KnownModule): ModuleManifest {
  if (!manifest) throw new Error(fault ?? `modules/${name} declares nothing`);
  return manifest;
}

/** The module without which there is no service. */
const foundation = 'System';

/** @throws Error naming what a module requires and is not installed and enabled */
export function assertRequirements(modules: readonly KnownModule[], module: KnownModule): void {
  const { name, requires = [] } = manifestOf(module);
  const missing = requires.filter(
    (required) => !modules.some((each) => each.name === required && each.installed && each.enabled),
  );
  if (missing.length > 0) throw new Error(`${name} requires ${missing.join(', ')}: enable it first`);
}

/**
 * Makes sure that a module may be removed.
 *
 * @param isInTheWay whether a module that requires it prevents that
 * @throws Error naming them; always for the module System
 */
export function assertNotRequired(
  modules: readonly KnownModule[],
  name: string,
  isInTheWay: (module: KnownModule) => boolean,
): void {
  if (name === foundation) throw new Error(`${name} carries the service: it stays`);
  const dependants = modules.filter(
    (each) => each.name !== name && each.manifest?.requires?.includes(name) && isInTheWay(each),
  );
  if (dependants.length > 0) {
    throw new Error(
      `${dependants.map((each) => each.name).join(', ')} requires ${name}: disable or remove it first`,
    );
  }
}
