import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { contentInvariants } from '../fault/invariants/contents.ts';
import { fileInvariants } from '../fault/invariants/files.ts';
import { principalInvariants } from '../fault/invariants/principals.ts';
import { openTable } from '../fault/world/table.ts';
import type { Functions } from '../support/functions.ts';

const invariants = [...principalInvariants, ...contentInvariants, ...fileInvariants];

/** What does not add up of everything that is stored: counters, claims, lists, bytes behind records. */
export async function findViolations({ stores, dataDir }: Functions): Promise<string[]> {
  const table = openTable(stores.database, String(process.env.TABLE_NAME));
  const items = await table.scan();
  table.close();
  const objects = new Map<string, number>();
  const folder = join(dataDir, 'storage', 'public');
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile()) objects.set(`local ${relative(folder, file)}`, (await stat(file)).size);
  }
  const violations = invariants.flatMap((invariant) => invariant({ items, objects, scraps: [] }));
  // Sessions of deleted principals are refused, and expire.
  return violations.filter((each) => !/^SESSION#\S+ has no owner$/.test(each));
}
