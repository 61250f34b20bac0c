import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import * as z from 'zod/mini';
import { type Bucket, deleteObjects, getObject, listKeys, putObject } from './bucket.ts';
import { hashPackage, type StackPackage } from './package.ts';

const prefix = 'packages/';
const toKey = (hash: string): string => `${prefix}${hash}.zip`;
const digest = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

const metadataSchema = z.object({
  sha256: z.string(),
  stage: z.string(),
  stack: z.string(),
  schema: z.string().check(z.regex(/^\d+$/)),
});

/** Keeps a package in the bucket of its stack, as one object that is written once. Idempotent. */
export async function keepPackage(
  bucket: Bucket,
  root: string,
  { folder, hash, stack, schema }: StackPackage,
  stage: string,
): Promise<void> {
  if ((await listKeys(bucket, toKey(hash))).length > 0) return;
  const files = readdirSync(join(root, folder), { withFileTypes: true }).filter((entry) => entry.isFile());
  const content = Object.fromEntries(files.map(({ name }) => [name, readFileSync(join(root, folder, name))]));
  // The zips of functions do not shrink.
  const archive = zipSync(content, { level: 0 });
  const metadata = { sha256: digest(archive), stage, stack, schema: String(schema) };
  await putObject(bucket, toKey(hash), archive, { metadata });
}

/**
 * Puts a kept package into a folder.
 *
 * @param folder absolute path
 * @returns the version of the table's data that its code knows
 * @throws Error if the package is missing or damaged, or belongs to another stack
 */
export async function fetchPackage(
  bucket: Bucket,
  { stack, stage, hash }: { stack: string; stage: string; hash: string },
  folder: string,
): Promise<number> {
  const stored = await getObject(bucket, toKey(hash));
  if (!stored) throw new Error(`${stack}: the package ${hash} is not kept any more, or never was`);
  const { data } = z.safeParse(metadataSchema, stored.metadata);
  const damaged = new Error(`${stack}: the kept package ${hash} is damaged`);
  if (!data || data.sha256 !== digest(stored.body)) throw damaged;
  if (data.stage !== stage || data.stack !== stack)
    throw new Error(`${stack}: the kept package ${hash} is that of ${data.stack} in ${data.stage}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(unzipSync(stored.body))) {
    if (!/^[\w.-]+$/.test(name)) throw damaged;
    writeFileSync(join(folder, name), content);
  }
  if (hashPackage(folder) !== hash) throw damaged;
  return Number(data.schema);
}

/** Deletes the kept packages that no run needs. @param needed their hashes */
export async function forgetPackages(bucket: Bucket, needed: ReadonlySet<string>): Promise<void> {
  const keys = await listKeys(bucket, prefix);
  const kept = new Set([...needed].map(toKey));
  await deleteObjects(
    bucket,
    keys.filter((key) => !kept.has(key)),
  );
}
