import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listWithRequired } from '../discover/discover-owners.ts';
import { type FoundModule, modulesFolder } from '../model.ts';
import { aggregateStack, wholeStack } from '../stacks/stack.ts';
import type { BundleReport } from './keep-chunks-apart.ts';

/**
 * Checks that bundles, by function name, hold no development dependency, and no file of another module: only its own
 * stack, modules that require it and `aggregate` may. So a change of a module leaves all other stacks the same.
 *
 * @throws Error naming function and file, or function and package
 */
export function checkBundles(
  root: string,
  stack: string,
  modules: readonly FoundModule[],
  reports: ReadonlyMap<string, BundleReport>,
): void {
  const own = modules.find(({ prefix }) => prefix === stack);
  const allowed = own ? listWithRequired(modules, own.manifest.name) : [];
  const holdsAll = stack === aggregateStack || stack === wholeStack;
  const { devDependencies }: { devDependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  for (const [name, { inputs, packages }] of reports) {
    const isIn = (folder: string) => (file: string) => file.startsWith(`${folder}/`);
    const foreign = inputs
      .filter(isIn(modulesFolder))
      .find((file) => !allowed.some(({ home }) => isIn(home)(file)));
    if (foreign && !holdsAll) throw new Error(`${name} is deployed with ${stack} and holds ${foreign}`);
    const found = [...packages].find((each) => Object.hasOwn(devDependencies, each));
    if (found) throw new Error(`the bundle of ${name} holds ${found}, a development dependency`);
  }
}
