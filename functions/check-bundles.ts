import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BundleReport } from './keep-chunks-apart.ts';
import { assertOwnInputs } from './stacks/assert-own-inputs.ts';

/**
 * Makes sure that bundles hold what they may.
 *
 * @param root the project's folder
 * @throws Error naming the function, and the foreign file or the development dependency in its bundle
 */
export function checkBundles(root: string, stack: string, reports: ReadonlyMap<string, BundleReport>): void {
  assertOwnInputs(stack, reports);
  const { devDependencies }: { devDependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  for (const [name, { inputs }] of reports) {
    const packages = inputs.map((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? '');
    const found = packages.find((each) => Object.hasOwn(devDependencies, each));
    if (found) throw new Error(`the bundle of ${name} holds ${found}, a development dependency`);
  }
}
