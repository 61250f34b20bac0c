import { toRoutePrefix } from '#shared/module/module.ts';
import { aggregateStack } from './stack.ts';

/**
 * Makes sure that a module's files are in functions of its own stack and of `aggregate` alone: so a change of a
 * module changes no byte of any other stack.
 *
 * @param inputs the source files in each function's bundle, by its name
 * @throws Error naming function and file
 */
export function assertOwnInputs(stack: string, inputs: ReadonlyMap<string, readonly string[]>): void {
  if (stack === aggregateStack) return;
  for (const [name, files] of inputs) {
    const foreign = files.find((file) => {
      const [, module] = /^modules\/([^/]+)\//.exec(file) ?? [];
      return module !== undefined && toRoutePrefix(module) !== stack;
    });
    if (foreign) throw new Error(`${name} is deployed with ${stack} and holds ${foreign}`);
  }
}
