import { apiTokenEntity } from '#shared/auth/api-token.ts';
import { getItem, holds, type Position, queryIndex, queryPartition, transact } from '#shared/db/items.ts';
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
  let marked = 0;
  for await (const id of readAdminIds()) if (await markSuper(id)) marked += 1;
  return marked;
}

/** Counts the API tokens of all administrators that would be valid if they had an epoch. */
export async function countTokensWithoutEpoch(): Promise<number> {
  let count = 0;
  for await (const adminId of readAdminIds()) {
    const { pk } = apiTokenEntity.key({ adminId, id: '' });
    for (const { expires_at, revoked_at, epoch } of await queryPartition(pk)) {
      const isValid = revoked_at === undefined && Date.parse(String(expires_at)) > Date.now();
      if (isValid && epoch === undefined) count += 1;
    }
  }
  return count;
}

async function* readAdminIds(): AsyncGenerator<string> {
  const { name, pk } = admins.indexes.byCreation;
  let start: Position | undefined;
  do {
    const page = await queryIndex({ name, pk: pk(), limit: 100, isNewestFirst: false, start });
    for (const { id } of page.items) yield String(id);
    start = page.last;
  } while (start);
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
