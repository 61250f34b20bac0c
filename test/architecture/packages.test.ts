import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import * as z from 'zod/mini';

const root = join(__dirname, '..', '..');
const engines = z.object({ node: z.optional(z.string()) });
const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ engines: z.optional(z.union([engines, z.array(z.string())])) })),
});
const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));

/** The oldest major version of Node for a package, if it names only one. */
const readOldest = (entry: (typeof packages)[string] | undefined): number => {
  const { node = '' } = z.safeParse(engines, entry?.engines).data ?? {};
  return Number(/^>= ?v?(\d+)[.\d]*$/.exec(node)?.[1] ?? 0);
};

it('package.json names a Node that satisfies every package', () => {
  const own = readOldest(packages['']);
  const newer = Object.keys(packages).filter((name) => readOldest(packages[name]) > own);

  expect(newer).toEqual([]);
});

it('the SDK of Qiniu installs no TypeScript, which it does not load', () => {
  expect(Object.keys(packages).filter((name) => /qiniu\/node_modules\/typescript$/.test(name))).toEqual([]);
});
