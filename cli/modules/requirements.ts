import { type KnownModule, manifestOf } from './find-modules.ts';

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
 * Makes sure that a module may go.
 *
 * @param isInTheWay which of the modules that require it stand in the way
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
      `${dependants.map((each) => each.name).join(', ')} requires ${name}: take that away first`,
    );
  }
}
