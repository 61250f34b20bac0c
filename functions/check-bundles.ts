import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModuleManifest, toRoutePrefix } from '#shared/module/module.ts';
import type { BundleReport } from './keep-chunks-apart.ts';
import { aggregateStack, wholeStack } from './stacks/stack.ts';

/** The bundles of a stack's functions, by the functions' names. */
type Reports = ReadonlyMap<string, BundleReport>;

/** Names of modules and of those that they need. */
type Modules = readonly Pick<ModuleManifest, 'name' | 'requires'>[];

/**
 * Makes sure that bundles hold what they may.
 *
 * @param root the project's folder
 * @throws Error naming the function, and the foreign file or the development dependency in its bundle
 */
export function checkBundles(root: string, stack: string, modules: Modules, reports: Reports): void {
  assertOwnInputs(stack, modules, reports);
  const { devDependencies }: { devDependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  for (const [name, { packages }] of reports) {
    const found = [...packages].find((each) => Object.hasOwn(devDependencies, each));
    if (found) throw new Error(`the bundle of ${name} holds ${found}, a development dependency`);
  }
}

/**
 * Makes sure that a module's files are only in functions of its own stack, of modules that require it, and of
 * `aggregate`. So a change of a module changes no byte of any other stack.
 *
 * @throws Error naming function and file
 */
export function assertOwnInputs(stack: string, modules: Modules, reports: Reports): void {
  if (stack === aggregateStack || stack === wholeStack) return;
  const allowed = new Set(modules.map(({ name }) => name).filter((name) => toRoutePrefix(name) === stack));
  for (const name of allowed) {
    for (const required of modules.find((each) => each.name === name)?.requires ?? []) allowed.add(required);
  }
  for (const [name, { inputs }] of reports) {
    const foreign = inputs.find((file) => {
      const [, module] = /^modules\/([^/]+)\//.exec(file) ?? [];
      return module !== undefined && !allowed.has(module);
    });
    if (foreign) throw new Error(`${name} is deployed with ${stack} and holds ${foreign}`);
  }
}
