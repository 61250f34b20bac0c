import { transact, transactionLimit, type Write } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import type { ConfigGroup } from './group.ts';
import { invalidateSettings, readStored } from './store.ts';

/**
 * Removes whatever is stored of a group, of keys that it no longer declares too, so that its defaults count;
 * repeating an interrupted removal finishes it.
 *
 * @returns how many settings were stored
 */
export async function removeSettings(group: ConfigGroup): Promise<number> {
  const names = Object.keys(await readStored(group.name));
  const writes = names.map((name): Write => ({ Delete: { Key: { ...keys.config(group.name, name) } } }));
  try {
    for (let at = 0; at < writes.length; at += transactionLimit) {
      await transact(writes.slice(at, at + transactionLimit));
    }
  } finally {
    await invalidateSettings(group.name, group);
  }
  return names.length;
}
