import { toRoutePrefix } from '#shared/module/module.ts';
import type { BundleReport } from '../keep-chunks-apart.ts';
import { aggregateStack, wholeStack } from './stack.ts';

/**
 * Makes sure that a module's files are in functions of its own stack and of `aggregate` alone: so a change of a
 * module changes no byte of any other stack.
 *
 * @param reports the bundles of its functions, by their names
 * @throws Error naming function and file
 */
export function assertOwnInputs(stack: string, reports: ReadonlyMap<string, BundleReport>): void {
  if (stack === aggregateStack || stack === wholeStack) return;
  for (const [name, { inputs }] of reports) {
    const foreign = inputs.find((file) => {
      const [, module] = /^modules\/([^/]+)\//.exec(file) ?? [];
      return module !== undefined && toRoutePrefix(module) !== stack;
    });
    if (foreign) throw new Error(`${name} is deployed with ${stack} and holds ${foreign}`);
  }
}
