import { toRoutePrefix } from '#shared/module/module.ts';
import { aggregateStack } from './stack.ts';

/** Files that no function is made of. */
const aside =
  /^(?:test|bench|docs|\.github|\.ci|cli)\/|^[^/]*\.md$|^(?:biome\.json|jest\.config\.js|LICENSE|\.\w+)$/;

/**
 * The stacks that have to be deployed after some files have changed: a module's own and `aggregate` for files of
 * a module, all of them for whatever else functions are made of.
 *
 * @param files paths from the project's root, with `/`
 * @param stacks all stacks, in the order of a deployment
 */
export function listChangedStacks(files: readonly string[], stacks: readonly string[]): string[] {
  const changed = new Set<string>();
  for (const file of files) {
    if (aside.test(file)) continue;
    const [, module] = /^modules\/([^/]+)\//.exec(file) ?? [];
    // The list of modules, and what they share, are in every function.
    if (module === undefined) return [...stacks];
    changed.add(toRoutePrefix(module)).add(aggregateStack);
  }
  return stacks.filter((stack) => changed.has(stack));
}
