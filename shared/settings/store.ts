import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import { VersionedCache } from '#shared/cache/versioned-cache.ts';
import { seal, unseal } from '#shared/crypto/seal.ts';
import { queryPartition, transact, type Write } from '#shared/db/items.ts';
import { putItem, putNew, removeItem } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { log } from '#shared/log/log.ts';
import { type ConfigGroup, configKey, type SettingsOf } from './group.ts';

/** What stands in place of a secret in answers; posted, it keeps the stored one. */
export const secretMask = '******';
/** Values of a group as they lie in the table, by key; secrets sealed. */
export type StoredValues = Record<string, unknown>;

/** How long settings are served from the cache. */
export const settingsCacheSeconds = 60;

const stored = new VersionedCache<StoredValues>({
  entryKey: (group) => `service:config:${group}`,
  generationKey: (group) => `service:config-generation:${group}`,
  ttlSeconds: settingsCacheSeconds,
  load: async (groups) =>
    new Map(await settleAll(groups.map(async (group) => [group, await readStored(group)] as const))),
});

/** The stored values of a group, past the cache. */
export async function readStored(group: string): Promise<StoredValues> {
  const items = await queryPartition(configKey(group, '').pk);
  return Object.fromEntries(items.map((item) => [String(item.sk), item.value]));
}

/** The settings of a group, from the cache: what is stored, else the defaults; secrets in the clear. */
export async function readSettings<Group extends ConfigGroup>(group: Group): Promise<SettingsOf<Group>> {
  const values = (await stored.get([group.name])).get(group.name) ?? {};
  return openValues(group, values);
}

/**
 * The same past the cache, in one round trip: for what is asked so seldom that it would hardly ever be cached,
 * and then reads the database anyway.
 */
export const readStoredSettings = async <Group extends ConfigGroup>(
  group: Group,
): Promise<SettingsOf<Group>> => openValues(group, await readStored(group.name));

/** Stored values as the group's schemas have them; what no longer fits counts as not stored. */
export function openValues<Group extends ConfigGroup>(group: Group, values: StoredValues): SettingsOf<Group> {
  const entries = Object.entries(group.keys).map(([name, { schema, secret, default: fallback }]) => {
    if (!Object.hasOwn(values, name)) return [name, fallback];
    const value = secret ? unseal(String(values[name]), 'setting', `${group.name}.${name}`) : values[name];
    const result = z.safeParse(schema, value);
    if (!result.success) log.warn('settings.unfit', { group: group.name, key: name });
    return [name, result.success ? result.data : fallback];
  });
  return Object.fromEntries(entries);
}

/**
 * Stores values of a group that fit its schemas, all or none, and drops every cache that depends on it.
 *
 * @param known what was stored when the values were found good; absent where they are good anyway
 * @throws AppError `version_conflict` if an endpoint among them is no longer as it was known
 */
export async function writeValues(
  group: ConfigGroup,
  values: Record<string, unknown>,
  known?: StoredValues,
): Promise<void> {
  const updated_at = new Date().toISOString();
  const writes = Object.entries(values).map(([name, value]): Write => {
    const key = configKey(group.name, name);
    const isSecret = group.keys[name]?.secret === true;
    // An empty secret counts as not set: it must not look like one that is.
    if (isSecret && value === '') return removeItem(key);
    const kept = isSecret ? seal(String(value), 'setting', `${group.name}.${name}`) : value;
    const item = { ...key, value: kept, updated_at };
    if (!known || !group.keys[name]?.endpoint) return putItem(item);
    const isChanged = (cause: unknown) => new AppError('version_conflict', { cause });
    // The stored value is as it was known, or still not there.
    const isStored = Object.hasOwn(known, name);
    return isStored ? putItem(item, { expect: { value: known[name] } }, isChanged) : putNew(item, isChanged);
  });
  try {
    if (writes.length > 0) await transact(writes);
  } finally {
    await invalidateSettings(group.name, group);
  }
}

/**
 * Drops every cache that depends on a group.
 *
 * @param group its declaration; absent where no module declares it (any more)
 * @returns whether the caches took it
 */
export async function invalidateSettings(name: string, group?: ConfigGroup): Promise<boolean> {
  const [isTaken, outcome] = await settleAll([stored.invalidate([name]), group?.invalidate?.()]);
  return isTaken && outcome !== false;
}
