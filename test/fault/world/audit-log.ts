import { encodeTime } from 'ulid';
import type { StoredEntry } from '#shared/audit/entry.ts';
import { auditPartition } from '#shared/audit/new-entry.ts';
import { verifyAuditItem } from '#shared/audit/stored-entries.ts';
import type { World } from './world.ts';

/**
 * Entries that say `ok`, since a time.
 *
 * @param sinceMs Unix milliseconds
 * @throws Error if an entry is not genuine
 */
export async function listDone({ table }: World, sinceMs: number): Promise<StoredEntry[]> {
  const months = new Set([sinceMs, Date.now()].map((time) => new Date(time).toISOString().slice(0, 7)));
  const pages = [...months].map((month) => table.listFrom(auditPartition(month), encodeTime(sinceMs, 10)));
  return (await Promise.all(pages)).flat().flatMap((item) => {
    const entry = verifyAuditItem(item);
    if (!entry) throw new Error(`an entry that is not genuine: ${JSON.stringify(item)}`);
    return entry.outcome === 'ok' ? [entry] : [];
  });
}
