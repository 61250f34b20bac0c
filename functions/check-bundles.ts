import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModuleManifest, toRoutePrefix } from '#shared/module/module.ts';
import type { BundleReport } from './keep-chunks-apart.ts';
import { aggregateStack, wholeStack } from './stacks/stack.ts';

/** By function name. */
type Reports = ReadonlyMap<string, BundleReport>;
type Modules = readonly Pick<ModuleManifest, 'name' | 'requires'>[];

/**
 * Checks that bundles hold no file of another stack and no development dependency.
 *
 * @param root the project's folder
 * @throws Error naming function and file, or function and package
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
 * Checks that a module's files are only in functions of its own stack, of modules that require it, and of
 * `aggregate`. So a change of the module leaves all other stacks the same.
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
