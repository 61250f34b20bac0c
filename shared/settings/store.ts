import * as z from 'zod/mini';
import { loadEach, VersionedCache } from '#shared/cache/versioned-cache.ts';
import { decrypt, encrypt } from '#shared/crypto/encrypt.ts';
import { defineEntity, versionConflict } from '#shared/db/entity.ts';
import { queryPartition, singleKey, transact, type Write } from '#shared/db/items.ts';
import { putItem, putNew, removeItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { log } from '#shared/log/log.ts';
import { type ConfigGroup, configKey, type SettingsOf } from './group.ts';
import { siteStatusMirror } from './site-status.ts';

/** Replaces secrets in answers. In a save, it keeps the stored secret. */
export const secretMask = '******';
/** Stored values of a group by key; secrets are encrypted. */
export type StoredValues = Record<string, unknown>;

const stored = new VersionedCache<StoredValues>({
  entryKey: (group) => `service:config:${group}`,
  generationKey: (group) => `service:config-generation:${group}`,
  ttlSeconds: 60,
  isSigned: true,
  load: loadEach(readStored),
});

/** Settings as stored. A save changes several of a group, so the audit log names the group. */
export const storedSettings = defineEntity({
  row: z.object({ value: z.unknown() }),
  key: ({ group, name }: { group: string; name: string }) => configKey(group, name),
  missing: () => new AppError('internal'),
  target: ({ pk }) => `config:${pk.slice(configKey('', '').pk.length)}`,
  mirror: [{ cache: stored, clearsOnPut: true }, siteStatusMirror],
  // One history for the group, as the audit log has one.
  revisions: {
    days: 200,
    row: z.object({ key: z.string(), value: z.unknown() }),
    record: ({ pk }) => singleKey(pk),
  },
});

/** The stored values of a group, from the table. */
export async function readStored(group: string): Promise<StoredValues> {
  const items = await queryPartition(configKey(group, '').pk);
  return Object.fromEntries(items.map((item) => [String(item.sk), item.value]));
}

/** The settings of a group, from the cache: stored values or defaults, secrets decrypted. */
export async function readSettings<Group extends ConfigGroup>(group: Group): Promise<SettingsOf<Group>> {
  return openValues(group, await stored.getOne(group.name));
}

/** The settings of a group, from the table. One round trip: for rare reads, which would mostly miss the cache. */
export const readStoredSettings = async <Group extends ConfigGroup>(
  group: Group,
): Promise<SettingsOf<Group>> => openValues(group, await readStored(group.name));

/** Decrypts and parses stored values; a value that does not fit its schema is replaced by the default. */
export function openValues<Group extends ConfigGroup>(group: Group, values: StoredValues): SettingsOf<Group> {
  const entries = Object.entries(group.keys).map(([name, { schema, secret, default: fallback }]) => {
    if (!Object.hasOwn(values, name)) return [name, fallback];
    const value = secret ? decrypt(String(values[name]), 'setting', `${group.name}.${name}`) : values[name];
    const result = z.safeParse(schema, value);
    if (!result.success) log.warn('settings.unfit', { group: group.name, key: name });
    return [name, result.success ? result.data : fallback];
  });
  return Object.fromEntries(entries);
}

/** Parsed values of a group, completed with defaults. */
export function fillValues<Group extends ConfigGroup>(
  group: Group,
  values: Record<string, unknown>,
): SettingsOf<Group> {
  const entries = Object.entries(group.keys).map(([name, key]) => [name, values[name] ?? key.default]);
  return Object.fromEntries(entries);
}

/**
 * Stores valid values of a group, all or none.
 *
 * @param given the stored values at validation. @default those of now
 * @throws AppError `version_conflict` if a stored value is not the known one
 */
export async function writeValues(
  group: ConfigGroup,
  values: Record<string, unknown>,
  given?: StoredValues,
): Promise<void> {
  const known = given ?? (await readStored(group.name));
  const writes = Object.entries(values).flatMap(([name, value]) => {
    const write = group.keys[name]?.secret
      ? writeSecret(group, name, String(value), known)
      : writePlain(group, name, value, known);
    return write ?? [];
  });
  try {
    if (writes.length > 0) await transact(writes);
  } finally {
    group.onSaved?.();
  }
}

/** Undefined if the secret is not set, and stays so. An empty secret must not be listed as a mask. */
function writeSecret(
  group: ConfigGroup,
  name: string,
  value: string,
  known: StoredValues,
): Write | undefined {
  const isStored = Object.hasOwn(known, name);
  if (value === '' && !isStored) return undefined;
  const [old, now] = [isStored, value !== ''].map((isSet) => (isSet ? secretMask : undefined));
  const kept = value === '' ? undefined : encrypt(value, 'setting', `${group.name}.${name}`);
  return { ...putValue(group, name, kept, known), replaced: describe(name, old, now) };
}

function writePlain(group: ConfigGroup, name: string, value: unknown, known: StoredValues): Write {
  const isSame = JSON.stringify(known[name]) === JSON.stringify(value);
  return {
    ...putValue(group, name, value, known),
    replaced: isSame ? 'nothing' : describe(name, known[name], value),
  };
}

const describe = (key: string, old: unknown, value: unknown) => ({
  old: { key, value: old ?? null },
  now: { key, value: value ?? null },
  at: new Date().toISOString(),
});

/** The write of a stored value; undefined removes it. It fails if the value is not the known one. */
function putValue(group: ConfigGroup, name: string, value: unknown, known: StoredValues): Write {
  const key = storedSettings.key({ group: group.name, name });
  const item = { ...key, value, updated_at: new Date().toISOString() };
  const conditions = { expect: { value: known[name] } };
  if (value === undefined) return removeItem(key, conditions, versionConflict);
  return Object.hasOwn(known, name)
    ? putItem(item, conditions, versionConflict)
    : putNew(item, versionConflict);
}

/** Settings are read here; `save.ts` writes them. */
export const writtenKeys: ListWrittenKeys = () => [];
