import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import * as z from 'zod/mini';
import { packagesFolder, type StackPackage } from './package.ts';

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const listSchema = z.strictObject({
  stage: z.string(),
  packages: z.array(
    z.strictObject({
      stack: z.string(),
      service: z.string(),
      region: z.string(),
      folder: z.string(),
      hash: sha256,
      schema: z.number(),
    }),
  ),
  /** The SHA-256 of every file, by its path in the folder of packages. */
  files: z.record(z.string(), sha256),
});

const listFile = 'packages.json';
const hashOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** The SHA-256 of every file in the folder of packages, except for that of the list. */
function hashFiles(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((file) => file !== listFile)
    .sort();
  return Object.fromEntries(
    files.map((file) => [file.split(sep).join('/'), hashOf(readFileSync(join(folder, file)))]),
  );
}

/** Lists packages beside them, so that another place can deploy them. @returns the SHA-256 of the list */
export function writeList(root: string, stage: string, packages: readonly StackPackage[]): string {
  const folder = join(root, packagesFolder);
  const text = `${JSON.stringify({ stage, packages, files: hashFiles(folder) }, null, 2)}\n`;
  writeFileSync(join(folder, listFile), text);
  return hashOf(text);
}

/**
 * Reads packages that were built elsewhere.
 *
 * @param digest SHA-256 of their list, which came another way than the packages
 * @throws Error if anything differs from what was built, or was built for another stage
 */
export function readList(root: string, stage: string, digest: string): StackPackage[] {
  const folder = join(root, packagesFolder);
  if (!existsSync(join(folder, listFile)))
    throw new Error(
      `There are no packages in ${packagesFolder}: copy them there, or build them with --build in place of --prebuilt`,
    );
  const text = readFileSync(join(folder, listFile), 'utf8');
  if (hashOf(text) !== digest) throw new Error(`${listFile} has another hash than ${digest}: build again`);
  const { stage: builtFor, packages, files } = z.parse(listSchema, JSON.parse(text));
  if (builtFor !== stage) throw new Error(`the packages are for the stage ${builtFor}, not for ${stage}`);
  const found = hashFiles(folder);
  const names = new Set([...Object.keys(files), ...Object.keys(found)]);
  const different = [...names].filter((name) => files[name] !== found[name]);
  if (different.length > 0) throw new Error(`not as they were built: ${different.join(', ')}`);
  return packages;
}
