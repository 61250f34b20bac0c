import { readdir, stat, utimes } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { uploadPartitions } from '#modules/System/files/uploads/upload-record.ts';
import { listPartitions } from '#shared/db/paging/spread-index.ts';
import type { World } from '../world/world.ts';
import { contentInvariants } from './contents.ts';
import { fileInvariants, nothingLeft } from './files.ts';
import type { Holdings, Invariant } from './invariant.ts';
import { principalInvariants } from './principals.ts';

const invariants: Invariant[] = [...principalInvariants, ...contentInvariants, ...fileInvariants];

/** All violated invariants; no request may be under way. */
export async function findViolations(world: World): Promise<string[]> {
  const holdings = await takeStock(world);
  return invariants.flatMap((invariant) => invariant(holdings));
}

/**
 * Lets the time of all uploads pass, runs the clean-up, and lists its mistakes: items that it left or removed wrongly.
 */
export async function findLeftovers(world: World): Promise<string[]> {
  await passTime(world);
  await world.functions.invoke('system-job-clean-up-uploads', {});
  const holdings = await takeStock(world);
  return [...invariants, nothingLeft].flatMap((invariant) => invariant(holdings));
}

async function takeStock({ table, functions, cloud }: World): Promise<Holdings> {
  const folder = join(functions.dataDir, 'storage');
  const objects = new Map<string, number>();
  const scraps: string[] = [];
  for (const file of await listFiles(folder)) {
    const name = relative(folder, file);
    if (name.startsWith('public/')) objects.set(`local ${relative('public', name)}`, (await stat(file)).size);
    else scraps.push(name);
  }
  for (const [key, { bytes }] of cloud.objects) objects.set(`aliyun ${key}`, bytes.length);
  return { items: await table.scan(), objects, scraps };
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Makes everything unfinished a day older. */
async function passTime({ table, functions }: World): Promise<void> {
  const yesterday = new Date(Date.now() - 86_400_000);
  const uploads = listPartitions('UPLOAD', uploadPartitions).map((pk) => table.list(pk, 'gsi1'));
  for (const item of (await Promise.all(uploads)).flat()) {
    const expires_at = Math.floor(yesterday.getTime() / 1000);
    await table.put({ ...item, expires_at, gsi1sk: `${yesterday.toISOString()}#${item.pk}` });
  }
  for (const file of await listFiles(join(functions.dataDir, 'storage', 'parts'))) {
    await utimes(file, yesterday, yesterday);
  }
}
