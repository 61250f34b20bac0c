import { getItem, holds, type Position, queryIndex, transact } from '#shared/db/items.ts';
import { changeItem } from '#shared/db/writes.ts';
import { admins } from './admin-record.ts';
import { countSupers } from './admins.ts';

/**
 * Makes administrators of the time before roles super administrators: they might do everything. Idempotent: each is
 * marked and counted in one transaction.
 *
 * @returns the number of marked administrators
 */
export async function markSupers(): Promise<number> {
  const { name, pk } = admins.indexes.byCreation;
  let marked = 0;
  let start: Position | undefined;
  do {
    const page = await queryIndex({ name, pk: pk(), limit: 100, isNewestFirst: false, start });
    for (const { id } of page.items) if (await markSuper(String(id))) marked += 1;
    start = page.last;
  } while (start);
  return marked;
}

/** @returns whether the administrator was marked by this call */
async function markSuper(id: string): Promise<boolean> {
  for (;;) {
    const key = admins.key({ id });
    const old = await getItem(key);
    if (!old || old.super !== undefined) return false;
    const { status } = old;
    const mark = changeItem(key, {
      set: { super: true, role_ids: [] },
      expect: { status, super: undefined },
    });
    if (await holds(transact([mark, ...(status === 'enabled' ? [countSupers(1, id)] : [])]))) return true;
    // It was changed at the same moment: look again.
  }
}
