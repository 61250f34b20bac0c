import type { Write } from '#shared/db/items.ts';
import { factsOf } from '#shared/db/record-facts.ts';

/**
 * The record that a transaction is about, as its entity names it: `article:01J…`, `dict:gender:1`. If it is about
 * several, the first by name. Null if it is about none.
 */
export function findTarget(writes: readonly Write[]): string | null {
  const targets = writes.flatMap(({ Put, Update, Delete }) => {
    const key = Put?.Item ?? Update?.Key ?? Delete?.Key ?? {};
    return factsOf(key)?.target?.({ pk: String(key.pk), sk: String(key.sk) }) ?? [];
  });
  return targets.sort()[0] ?? null;
}
